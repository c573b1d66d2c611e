import assert from 'node:assert/strict';
import { it } from 'node:test';
import { until } from '../../../test/until.js';
import { startTestApplication } from './test-application.fixture.js';

it('a service that starts answers 503 to every call of the API, and takes no more of the log than a sentence', async () => {
  let prepare = (): void => undefined;
  const prepared = new Promise<void>(resolve => (prepare = resolve));
  const { app, origin, log } = await startTestApplication({ prepared });
  const statusOf = async (path: string): Promise<number> => (await fetch(`${origin}${path}`)).status;
  assert.equal(await statusOf('/health/live'), 200);
  assert.equal(await statusOf('/v1/nothing'), 404);
  assert.equal(await statusOf('/v1/things'), 503);
  const { err } = log.find(({ msg }) => msg === 'store unavailable') as { err: Record<string, unknown> };
  assert.equal(err['stack'], 'The service is starting. Try again in a moment.');
  prepare();
  await until(async () => (await statusOf('/v1/things')) !== 503);
  await app.close();
});
