import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const STOPPED_SERVER = fileURLToPath(new URL('./stopping.fixture.js', import.meta.url));

describe('stopping on a signal', () => {
  /** How a program ends that gets a SIGTERM. @param kind how its server stops */
  async function endOf(kind: string): Promise<{ readonly code: unknown; readonly log: string }> {
    const child = spawn(process.execPath, [STOPPED_SERVER, kind], { stdio: ['ignore', 'pipe', 'inherit'] });
    let log = '';
    child.stdout.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (/"msg":"listening"/.test(log)) child.kill('SIGTERM');
    });
    const [code] = (await once(child, 'close')) as [unknown];
    return { code, log };
  }

  it('ends with 0 once all is closed', async () => {
    const { code, log } = await endOf('stops');
    assert.equal(code, 0);
    assert.doesNotMatch(log, /"level":50/);
  });

  it('ends with 1 and says so where that fails', async () => {
    const { code, log } = await endOf('fails');
    assert.equal(code, 1);
    assert.match(log, /"msg":"stopping failed"/);
  });

  it('ends with 1 and says so where that does not end in time', async () => {
    const { code, log } = await endOf('hangs');
    assert.equal(code, 1);
    assert.match(log, /"level":50.*"msg":"stopping did not end in time"/);
  });
});
