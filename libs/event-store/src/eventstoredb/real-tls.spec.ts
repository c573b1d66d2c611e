import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { AppendTooLarge, NO_STREAM } from '../event-store.js';
import { newEvent, newEvents, Names, readEvents } from '../contract/fixture.js';
import { Follower } from '../contract/follower.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { eventually, noteInto, unavailable } from './fake/fault-tests.js';
import { canStartEventStoreDb, startEventStoreDb } from './real-server.js';
import type { RealEventStoreDb } from './real-server.js';

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

if (canStartEventStoreDb() && canMakeCertificates()) {
  describe('a secure server', () => {
    const directory = mkdtempSync(join(tmpdir(), 'ledger-tls-'));
    const authority = join(directory, 'ca', 'ca.crt');
    let server: RealEventStoreDb | null = null;
    const open = (user: string, options: string) => {
      assert.ok(server);
      const notices: string[] = [];
      const url = `esdb://${user}127.0.0.1:${server.port}?${options}`;
      return { store: EventStoreDbEventStore.open({ url, log: noteInto(notices) }), notices };
    };
    const trusting = `tlsCAFile=${encodeURIComponent(authority)}`;
    const names = new Names();

    before(async () => {
      const tls = makeCertificates(directory);
      server = await startEventStoreDb({ tls, maxAppendSize: MAX_APPEND_SIZE });
    });
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
      await store.close();
    });

    it('is told apart from a wrong password, which is not tried again and again', async () => {
      const { store, notices } = open('admin:wr%40ng@', trusting);
      const words = /refuses the user and password of EVENTSTORE_URL/;
      await assert.rejects(store.ping(), unavailable(words));
      await assert.rejects(store.append(names.stream(), NO_STREAM, newEvents(1)), unavailable(words));
      await assert.rejects(store.head(names.prefix()), unavailable(words));
      const follower = new Follower(store, { prefix: names.prefix() });
      await eventually(() => notices.length > 0);
      assert.match(notices[0]!, words);
      await follower.stop();
      assert.doesNotMatch(notices.join(), /wr@ng|wr%40ng/);
      await store.close();
    });

    it('wants a user', async () => {
      const { store } = open('', trusting);
      await assert.rejects(store.ping(), unavailable(/must name an admin/));
      await store.close();
    });

    it('is not trusted without its CA', async () => {
      const { store } = open(`${ADMIN}@`, 'tls=true');
      await assert.rejects(
        store.ping(),
        unavailable(/certificate that is not trusted: name its CA by tlsCAFile/),
      );
      await store.close();
    });

    it('is told apart from an insecure one', async () => {
      const { store } = open(`${ADMIN}@`, 'tls=false');
      await assert.rejects(store.ping(), unavailable(/needs tls=true|dropped/));
      await store.close();
    });

    it('refuses an append over its own limit', async () => {
      const { store } = open(`${ADMIN}@`, trusting);
      const events = [newEvent({ data: { text: 'x'.repeat(MAX_APPEND_SIZE) } })];
      await assert.rejects(
        store.append(names.stream(), NO_STREAM, events),
        (error: unknown) => error instanceof AppendTooLarge && error.bytesMax === MAX_APPEND_SIZE,
      );
      await store.close();
    });
  });
}
