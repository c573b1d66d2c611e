import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'node:test';
import { CLOSING_GRACE_MS } from './create-http-app.js';
import { startTestApplication } from './test-application.fixture.js';

it('a server that closes does not wait for connections on which nobody asked anything', async () => {
  const { app, port } = await startTestApplication();
  const silent = connect(port, '127.0.0.1');
  await once(silent, 'connect');
  // That it is open at the server as well is known when another connection, made later, was answered.
  assert.equal((await fetch(`http://127.0.0.1:${port}/health/live`)).status, 200);
  const begun = performance.now();
  await app.close();
  assert.ok(performance.now() - begun < CLOSING_GRACE_MS, 'it waited');
  silent.destroy();
});
