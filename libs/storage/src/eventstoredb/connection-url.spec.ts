import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConnectionUrl } from './connection-url.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';

const PASSWORD = 'p4ss-w0rd';

/** One sentence that names the variable and tells nothing of the password. */
function refused(url: string, words: RegExp): void {
  assert.throws(
    () => EventStoreDbEventStore.open({ url }),
    (error: unknown) => {
      assert.ok(error instanceof Error);
      assert.equal(error.name, 'StoreUrlError');
      assert.match(error.message, /^EVENTSTORE_URL [^\n]*\.$/);
      assert.match(error.message, words);
      assert.doesNotMatch(`${error.message}${error.stack}`, /p4ss|w0rd/);
      return true;
    },
    url,
  );
}

describe('a connection URL', () => {
  it('may name one node', () => {
    for (const scheme of ['esdb', 'kurrentdb']) {
      for (const slash of ['', '/']) {
        const connection = parseConnectionUrl(`${scheme}://localhost:2114${slash}?tls=false`);
        assert.deepEqual(connection.settings.endpoint, { address: 'localhost', port: 2114 });
        assert.deepEqual(connection.security, { insecure: true });
        assert.equal(connection.credentials, undefined);
      }
    }
  });

  it('uses TLS and port 2113 unless it says otherwise', () => {
    const connection = parseConnectionUrl('esdb://events.example');
    assert.ok(!connection.security.insecure);
    assert.equal(connection.where, 'events.example:2113');
  });

  it('may name a cluster by DNS or by its nodes', () => {
    for (const scheme of ['esdb+discover', 'kurrentdb+discover']) {
      const { settings } = parseConnectionUrl(`${scheme}://cluster.example:2113`);
      assert.deepEqual(Reflect.get(settings, 'discover'), { address: 'cluster.example', port: 2113 });
    }
    const seeds = parseConnectionUrl('esdb://one:2113,two,three:2115?tls=false');
    assert.equal(seeds.where, 'one:2113, two:2113, three:2115');
    assert.ok('endpoints' in seeds.settings);
  });

  it('has its user and password percent-decoded', () => {
    const { credentials } = parseConnectionUrl('esdb://ad%40min:p%3Aa%2Fs%3Fs%23%20%C3%A9@localhost:2113');
    assert.deepEqual(credentials, { username: 'ad@min', password: 'p:a/s?s# é' });
  });

  it('takes options by any spelling of their names', () => {
    const url = 'esdb://localhost?TLS=false&keep_alive_interval=5000&KeepAliveTimeout=7000&gossipTimeout=3';
    const { security, settings } = parseConnectionUrl(url);
    assert.equal(security.insecure, true);
    assert.equal(settings.keepAliveInterval, 5_000);
    assert.equal(settings.keepAliveTimeout, 7_000);
    assert.equal(Reflect.get(settings, 'gossipTimeout'), 3);
  });

  it('never shows user or password in a description', () => {
    assert.equal(
      parseConnectionUrl(`esdb://admin:${PASSWORD}@one:2113,two:2113`).where,
      'one:2113, two:2113',
    );
  });

  it('is refused for another scheme', () => {
    for (const url of [
      `http://u:${PASSWORD}@localhost`,
      'esdbs://localhost',
      'localhost:2113',
      '',
      PASSWORD,
    ]) {
      refused(url, /must start with esdb:\/\//);
    }
  });

  it('is refused without a usable host', () => {
    for (const hosts of ['', ',', 'a,,b', 'host:port', 'host:0', 'host:65536', 'ho st', 'a:1:2', '[::1]:1']) {
      refused(`esdb://u:${PASSWORD}@${hosts}`, /it is scheme:\/\/\[user:password@\]host:port/);
    }
  });

  it('is refused when user and password are not percent-encoded', () => {
    for (const part of [`u:${PASSWORD}@x`, `u:${PASSWORD}:x`, `u:${PASSWORD}%zz`, 'u', 'u:', ':p']) {
      refused(`esdb://${part}@localhost`, /percent-encoded/);
    }
    refused(`esdb://u:p4ss?w0rd@localhost`, /percent-encoded/);
    refused(`esdb://u:p4ss?w0rd=1@localhost?tls=true`, /percent-encoded/);
    refused(`esdb://localhost:2113?connectionName=a@b`, /percent-encoded/);
  });

  it('is refused for options that are unknown, wrong, or would be unsafe', context => {
    const warned = context.mock.method(console, 'warn', () => undefined);
    const at = `esdb://u:${PASSWORD}@localhost?`;
    refused(`${at}tsl=false`, /not supported, tsl;/);
    refused(`${at}defaultDeadline=5`, /not supported, defaultDeadline;/);
    refused(`${at}tls`, /not supported;/);
    refused(`${at}tls=perhaps`, /cannot be read/);
    assert.equal(parseConnectionUrl(`${at}tls=false`).credentials, undefined);
    for (const name of ['tlsVerifyCert', 'TLS_verify-cert']) refused(`${at}${name}=false`, /tlsVerifyCert/);
    refused(`${at}nodePreference=follower`, /nodePreference/);
    for (const value of ['-1', '0', '123456789']) {
      refused(`${at}keepAliveInterval=${value}`, /whole number above 0 for keepAliveInterval/);
    }
    refused(`${at}connectionName=%zz`, /percent-encoded/);
    assert.equal(warned.mock.callCount(), 0, 'a warning of the client holds the password');
  });

  it('is refused for certificate files that cannot be read or that lack their other half', () => {
    refused(
      'esdb://localhost?tlsCAFile=/no/such/ca.crt',
      /tlsCAFile that cannot be read: \/no\/such\/ca.crt/,
    );
    refused(
      `esdb://localhost?userCertFile=${process.execPath}`,
      /must set both userCertFile and userKeyFile/,
    );
  });
});
