import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Module } from '@nestjs/common';
import { readConfiguration } from '../configuration.js';
import { RuntimeModule } from '../runtime.module.js';
import { runDemo } from './run-demo.js';

describe('a demo', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'run-demo-'));
  const former = process.env['TMPDIR'];
  const listener = createServer();
  after(() => {
    listener.close();
    if (former === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = former;
    rmSync(temporary, { recursive: true, force: true });
  });

  it('that cannot listen leaves no directory behind, and none for scheduled backups', async () => {
    @Module({})
    class AppModule {}
    await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as { readonly port: number };
    process.env['TMPDIR'] = temporary;
    const backups = { everyMs: 3_600_000, keep: 1, directory: join(temporary, 'backups') };
    await assert.rejects(
      runDemo({ ...readConfiguration(), port, host: '127.0.0.1', backups }, runtime => ({
        module: AppModule,
        imports: [RuntimeModule.of(runtime)],
      })),
      /Port \d+ on 127\.0\.0\.1 is already in use/,
    );
    assert.deepEqual(readdirSync(temporary), []);
  });
});
