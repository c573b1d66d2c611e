import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { AdministrationRefused } from '#identity/administration/user-administration';
import { announce } from '#engine/rebuild/rebuild-work';
import { RebuildPlace } from '#engine/rebuild/rebuild.scenario';
import { SILENT } from '#engine/households/streams.scenario';
import type { Closing } from './closing.js';
import {
  askServer,
  listenForOperators,
  PROJECTIONS_PATH,
  socketPath,
  USERS_PATH,
} from './operator-socket.js';

const administer = (): Promise<never> => Promise.reject(new AdministrationRefused('There is no account.'));

const REBUILD = { command: 'rebuild' };

describe('the socket for the ledger command', () => {
  let directory: string;
  let place: RebuildPlace;
  let close: Closing;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'operator-socket-'));
    place = await RebuildPlace.open();
    const { documents } = place;
    close = await listenForOperators(directory, SILENT, {
      [PROJECTIONS_PATH]: ({ command }) => announce(documents, command),
      [USERS_PATH]: administer,
    });
  });

  afterEach(async () => {
    await close();
    await place.close();
    rmSync(directory, { recursive: true });
  });

  it('begins work that goes on without a listener, and that the same command joins', async () => {
    const begun = await askServer(directory, PROJECTIONS_PATH, REBUILD);
    assert.ok(begun && 'result' in begun);
    assert.deepEqual(await askServer(directory, PROJECTIONS_PATH, REBUILD), begun);
  });

  it('does something with a user, or refuses it in one sentence', async () => {
    const asked = { action: 'disable', email: 'ada@example.org', by: 'root' };
    assert.deepEqual(await askServer(directory, USERS_PATH, asked), { refused: 'There is no account.' });
  });

  it('refuses in one sentence to cancel a rebuild twice', async () => {
    await askServer(directory, PROJECTIONS_PATH, REBUILD);
    const giveUp = { command: 'give-up' };
    const taken = await askServer(directory, PROJECTIONS_PATH, giveUp);
    assert.ok(taken && 'result' in taken);
    await place.workOff();
    assert.deepEqual(await askServer(directory, PROJECTIONS_PATH, giveUp), {
      refused: 'No rebuild is running.',
    });
  });

  it('responds nothing once the server has stopped', async () => {
    await close();
    assert.equal(await askServer(directory, PROJECTIONS_PATH, REBUILD), null);
  });

  it('has a short path however long that of the data directory is', async () => {
    const long = join(directory, 'd'.repeat(120));
    const work = { [PROJECTIONS_PATH]: async () => 'id', [USERS_PATH]: administer };
    const closeElsewhere = await listenForOperators(long, SILENT, work);
    assert.notEqual(socketPath(long), socketPath(`${long}2`));
    assert.deepEqual(await askServer(long, PROJECTIONS_PATH, REBUILD), { result: 'id' });
    await closeElsewhere();
  });
});
