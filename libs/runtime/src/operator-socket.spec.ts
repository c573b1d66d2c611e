import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { announce } from '#background/rebuild/rebuild-work';
import { RebuildPlace } from '#background/rebuild/rebuild.scenario';
import { SILENT } from '#streams/streams.scenario';
import { linesFrom } from './operator-client.js';
import { OperatorSocket, socketPath, type OperatorLine, type OperatorRequest } from './operator-socket.js';

const REBUILD = 'rebuild';

describe('the socket for the ledger command', () => {
  let directory: string;
  let place: RebuildPlace;
  let socket: OperatorSocket;
  const signal = new AbortController().signal;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'operator-socket-'));
    place = await RebuildPlace.open();
    const { documents } = place;
    socket = await OperatorSocket.listen(directory, documents, each => announce(documents, each), SILENT);
  });

  afterEach(async () => {
    await socket.close();
    await place.close();
    rmSync(directory, { recursive: true });
  });

  async function first(asked: OperatorRequest): Promise<OperatorLine | null> {
    for await (const line of linesFrom(socketPath(directory), asked, signal)) return line;
    return null;
  }

  it('begins work that goes on without a listener, and that the same command follows', async () => {
    const begun = await first({ command: REBUILD, accepted: null });
    assert.ok(begun && 'accepted' in begun);
    assert.deepEqual(await first({ command: REBUILD, accepted: null }), begun);
    assert.deepEqual(await first({ command: REBUILD, accepted: begun.accepted }), begun);
  });

  it('tells the end of the work, and refuses in one sentence to cancel it twice', async () => {
    await first({ command: REBUILD, accepted: null });
    const lines: OperatorLine[] = [];
    const giveUp = { command: 'give-up', accepted: null } as const;
    for await (const line of linesFrom(socketPath(directory), giveUp, signal)) {
      if (lines.push(line) === 1) await place.workOff();
    }
    const last = lines.at(-1);
    assert.ok(last && 'outcome' in last);
    assert.equal(last.outcome.state, 'done');
    assert.deepEqual(await first(giveUp), { refused: 'No rebuild is running.' });
  });

  it('ends what is followed when the server stops', async () => {
    const lines = linesFrom(socketPath(directory), { command: REBUILD, accepted: null }, signal);
    assert.ok('accepted' in (await lines.next()).value!);
    const rest = lines.next();
    await socket.close();
    assert.equal((await rest).done, true);
    assert.equal(await first({ command: REBUILD, accepted: null }), null);
  });

  it('has a short path however long that of the data directory is', async () => {
    const long = join(directory, 'd'.repeat(120));
    const elsewhere = await OperatorSocket.listen(long, place.documents, async () => 'id', SILENT);
    assert.notEqual(socketPath(long), socketPath(`${long}2`));
    for await (const line of linesFrom(socketPath(long), { command: REBUILD, accepted: null }, signal)) {
      assert.deepEqual(line, { accepted: 'id' });
      break;
    }
    await elsewhere.close();
  });
});
