// The specs of this folder once more, on a MongoDB of our own. With MONGODB_URL they run on that one anyway.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { canStartMongod, startMongod, type MongodServer } from '#test-servers/mongod-server';

const folder = import.meta.dirname;
const itself = import.meta.filename;
const specs = readdirSync(folder)
  .map(name => join(folder, name))
  .filter(file => file.endsWith('.spec.js') && file !== itself);

if (!process.env['MONGODB_URL'] && canStartMongod()) {
  describe('identity on MongoDB', () => {
    let server: MongodServer;

    before(async () => {
      const started = await startMongod({ replicaSet: true });
      assert.ok(started);
      server = started;
    });
    after(() => server.stop());

    for (const spec of specs) {
      it(`passes ${spec.slice(folder.length + 1)}`, async () => {
        const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
        const child = spawn(process.execPath, ['--test-reporter=spec', spec], {
          env: { ...environment, MONGODB_URL: server.url },
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let output = '';
        child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
        const [code] = (await once(child, 'close')) as [number | null];
        assert.equal(code, 0, output);
        assert.match(output, /ℹ pass [1-9]/);
      });
    }
  });
}
