import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  canStartEventStoreDb,
  startEventStoreDb,
  type EventStoreDbServer,
} from '#test-servers/eventstoredb-server';
import { AppendTooLarge, NO_STREAM } from '../event-store/event-store.js';
import { newEvent, newEvents, Names, readEvents } from '../event-store/contract/streams.fixture.js';
import { Follower } from '../event-store/contract/follower.fixture.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { eventually, noteInto, unavailable } from '#test-servers/eventstoredb-fake/fault-tests';

const MAX_APPEND_SIZE = 100_000;

/** The first user of a new server. */
const ADMIN = 'admin:changeit';

function canMakeCertificates(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.log('SKIPPED: the event store over TLS: no openssl on the PATH to make certificates with');
    return false;
  }
}

/** A CA of our own and a certificate of the server's, for the time of the test. */
function makeCertificates(directory: string): { certificate: string; key: string; authorities: string } {
  const file = (name: string): string => join(directory, name);
  const openssl = (...options: string[]): void => {
    execFileSync('openssl', options, { stdio: 'ignore', cwd: directory });
  };
  mkdirSync(file('ca'));
  writeFileSync(
    file('extensions'),
    'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n',
  );
  const newKey = ['-newkey', 'rsa:2048', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca/ca.crt',
    '-days',
    '2',
    '-subj',
    '/CN=ca',
  );
  openssl('req', ...newKey, '-keyout', 'node.key', '-out', 'node.csr', '-subj', '/CN=eventstoredb-node');
  const sign = ['-CA', 'ca/ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'extensions'];
  openssl('x509', '-req', '-in', 'node.csr', ...sign, '-out', 'node.crt', '-days', '2');
  return { certificate: file('node.crt'), key: file('node.key'), authorities: file('ca') };
}

const FIRST_ANSWER_MS_MAX = 120_000;
/** What the server says counts, however busy the machine is. */
const UNHURRIED = { attemptMs: 20_000, retryBudgetMs: 60_000 };

async function firstAnswer(store: EventStoreDbEventStore): Promise<void> {
  const deadline = performance.now() + FIRST_ANSWER_MS_MAX;
  for (;;) {
    try {
      return await store.ping();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(100);
    }
  }
}

if (canStartEventStoreDb() && canMakeCertificates()) {
  describe('a secure server', () => {
    const directory = mkdtempSync(join(tmpdir(), 'ledger-tls-'));
    const authority = join(directory, 'ca', 'ca.crt');
    let server: EventStoreDbServer | null = null;
    const opened: EventStoreDbEventStore[] = [];
    const closeAll = async (): Promise<void> => {
      await Promise.all(opened.splice(0).map(store => store.close()));
    };
    const open = (user: string, options: string) => {
      assert.ok(server);
      const notices: string[] = [];
      const url = `esdb://${user}127.0.0.1:${server.port}?${options}`;
      const store = EventStoreDbEventStore.open({ url, timings: UNHURRIED, log: noteInto(notices) });
      opened.push(store);
      return { store, notices };
    };
    const trusting = `tlsCAFile=${encodeURIComponent(authority)}`;
    const names = new Names();

    before(async () => {
      const tls = makeCertificates(directory);
      server = await startEventStoreDb({ tls, maxAppendSize: MAX_APPEND_SIZE });
      // A new server makes its users only after it has begun to answer.
      await firstAnswer(open(`${ADMIN}@`, trusting).store);
      await closeAll();
    });
    afterEach(closeAll);
    after(async () => {
      await server?.stop();
      rmSync(directory, { recursive: true });
    });

    it('lets its user in', async () => {
      const { store } = open(`${ADMIN}@`, trusting);
      const prefix = names.prefix();
      const follower = new Follower(store, { prefix });
      await store.append(`${prefix}stream`, NO_STREAM, newEvents(2));
      await follower.until(() => follower.events.length === 2);
      assert.deepEqual(await readEvents(store.readAll({ prefix })), follower.events);
      await follower.stop();
    });

    it('is told apart from a wrong password, which is not tried again and again', async () => {
      const { store, notices } = open('admin:wr%40ng@', trusting);
      const words = /rejects the user and password of EVENTSTORE_URL/;
      await assert.rejects(store.ping(), unavailable(words));
      await assert.rejects(store.append(names.stream(), NO_STREAM, newEvents(1)), unavailable(words));
      await assert.rejects(store.head(names.prefix()), unavailable(words));
      const follower = new Follower(store, { prefix: names.prefix() });
      await eventually(() => notices.length > 0);
      assert.match(notices[0]!, words);
      await follower.stop();
      assert.doesNotMatch(notices.join(), /wr@ng|wr%40ng/);
    });

    it('wants a user', async () => {
      const { store } = open('', trusting);
      await assert.rejects(store.ping(), unavailable(/use an admin/));
    });

    it('is not trusted without its CA', async () => {
      const { store } = open(`${ADMIN}@`, 'tls=true');
      await assert.rejects(store.ping(), unavailable(/certificate that is not trusted; set tlsCAFile/));
    });

    it('is told apart from an insecure one', async () => {
      const { store } = open('', 'tls=false');
      await assert.rejects(store.ping(), unavailable(/needs tls=true|dropped/));
    });

    it('refuses an append over its own limit', async () => {
      const { store } = open(`${ADMIN}@`, trusting);
      const events = [newEvent({ data: { text: 'x'.repeat(MAX_APPEND_SIZE) } })];
      await assert.rejects(
        store.append(names.stream(), NO_STREAM, events),
        (error: unknown) => error instanceof AppendTooLarge && error.bytesMax === MAX_APPEND_SIZE,
      );
    });
  });
}
