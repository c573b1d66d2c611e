import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { AdministrationRefused } from '#identity/administration/user-administration';
import { announce } from '#engine/rebuild/rebuild-work';
import { RebuildPlace } from '#engine/rebuild/rebuild.scenario';
import { SILENT } from '#engine/households/streams.scenario';
import { linesFrom } from './operator-client.js';
import {
  OperatorSocket,
  PROJECTIONS_PATH,
  socketPath,
  USERS_PATH,
  type OperatorLine,
  type OperatorRequest,
} from './operator-socket.js';

const administer = (): Promise<never> => Promise.reject(new AdministrationRefused('There is no account.'));

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
    socket = await OperatorSocket.listen(directory, documents, SILENT, {
      announce: each => announce(documents, each),
      administer,
    });
  });

  afterEach(async () => {
    await socket.close();
    await place.close();
    rmSync(directory, { recursive: true });
  });

  async function first(asked: OperatorRequest): Promise<OperatorLine | null> {
    for await (const line of linesFrom(socketPath(directory), PROJECTIONS_PATH, asked, signal)) return line;
    return null;
  }

  it('begins work that goes on without a listener, and that the same command follows', async () => {
    const begun = await first({ command: REBUILD, accepted: null });
    assert.ok(begun && 'accepted' in begun);
    assert.deepEqual(await first({ command: REBUILD, accepted: null }), begun);
    assert.deepEqual(await first({ command: REBUILD, accepted: begun.accepted }), begun);
  });

  it('does something with a user, or refuses it in one sentence', async () => {
    const asked = { action: 'disable', email: 'ada@example.org', by: 'root' };
    for await (const line of linesFrom(socketPath(directory), USERS_PATH, asked, signal)) {
      assert.deepEqual(line, { refused: 'There is no account.' });
    }
  });

  it('tells the end of the work, and refuses in one sentence to cancel it twice', async () => {
    await first({ command: REBUILD, accepted: null });
    const lines: OperatorLine[] = [];
    const giveUp = { command: 'give-up', accepted: null } as const;
    for await (const line of linesFrom(socketPath(directory), PROJECTIONS_PATH, giveUp, signal)) {
      if (lines.push(line) === 1) await place.workOff();
    }
    const last = lines.at(-1);
    assert.ok(last && 'outcome' in last);
    assert.equal(last.outcome.state, 'done');
    assert.deepEqual(await first(giveUp), { refused: 'No rebuild is running.' });
  });

  it('ends what is followed when the server stops', async () => {
    const lines = linesFrom(
      socketPath(directory),
      PROJECTIONS_PATH,
      { command: REBUILD, accepted: null },
      signal,
    );
    assert.ok('accepted' in (await lines.next()).value!);
    const rest = lines.next();
    await socket.close();
    assert.equal((await rest).done, true);
    assert.equal(await first({ command: REBUILD, accepted: null }), null);
  });

  it('has a short path however long that of the data directory is', async () => {
    const long = join(directory, 'd'.repeat(120));
    const elsewhere = await OperatorSocket.listen(long, place.documents, SILENT, {
      announce: async () => 'id',
      administer,
    });
    assert.notEqual(socketPath(long), socketPath(`${long}2`));
    for await (const line of linesFrom(
      socketPath(long),
      PROJECTIONS_PATH,
      { command: REBUILD, accepted: null },
      signal,
    )) {
      assert.deepEqual(line, { accepted: 'id' });
      break;
    }
    await elsewhere.close();
  });
});
