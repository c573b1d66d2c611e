import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigurationError, parseConfiguration, settingsOver } from './configuration.js';

/** For `assert.throws`: one sentence that names the variable and repeats no password. */
function names(variable: string): (error: unknown) => boolean {
  return error => {
    assert.ok(error instanceof ConfigurationError, String(error));
    assert.match(error.message, new RegExp(`^${variable} [^\\n]+\\.$`));
    assert.doesNotMatch(error.message, /s3cret/);
    return true;
  };
}

describe('the configuration', () => {
  it('takes a setting from the environment over `.env`, whether by value or by file', () => {
    const dotEnv = { DATA_DIR: 'a', SECRET_KEY_FILE: '/a', PORT: '1' };
    assert.deepEqual(settingsOver(dotEnv, {}), dotEnv);
    assert.deepEqual(settingsOver(dotEnv, { DATA_DIR_FILE: '/b', SECRET_KEY: 'b', PORT: '2' }), {
      DATA_DIR_FILE: '/b',
      SECRET_KEY: 'b',
      PORT: '2',
    });
    assert.deepEqual(settingsOver(dotEnv, { DATA_DIR_FILE: ' ' }), { ...dotEnv, DATA_DIR_FILE: ' ' });
  });

  it('tells whether a level of the log was set', () => {
    assert.equal(parseConfiguration({ LOG_LEVEL: 'Debug' }).logLevel, 'debug');
    assert.equal(parseConfiguration({}).logLevel, null);
    assert.throws(() => parseConfiguration({ LOG_LEVEL: 'loud' }), names('LOG_LEVEL'));
  });

  it('takes proxies as all, none, addresses, ranges and their names', () => {
    const trusted = (TRUST_PROXY: string) => parseConfiguration({ TRUST_PROXY }).trustProxy;
    assert.equal(trusted('true'), true);
    assert.equal(trusted('false'), false);
    assert.deepEqual(parseConfiguration({}).trustProxy, false);
    assert.deepEqual(trusted('10.0.0.1'), ['10.0.0.1']);
    assert.deepEqual(trusted('10.0.0.0/255.0.0.0'), ['10.0.0.0/255.0.0.0']);
    assert.deepEqual(trusted('10.0.0.1/255.255.255.255'), ['10.0.0.1/255.255.255.255']);
    assert.deepEqual(trusted('loopback, 10.0.0.0/8,fd00::/8'), ['loopback', '10.0.0.0/8', 'fd00::/8']);
  });

  for (const value of [
    'bad',
    'abc',
    '1',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '10.0.0.0/',
    '::1/129',
    '::1/255.0.0.0',
    '10.0.0.0/255.0.255.0',
    '10.0.0.0/0.0.0.0',
    '10.0.0.0/10.0.0.1',
    '127.0.0.1,',
    '10.0.0.0/8 192.168.0.0/16',
  ]) {
    it(`refuses ${JSON.stringify(value)} as proxies`, () => {
      assert.throws(() => parseConfiguration({ TRUST_PROXY: value }), names('TRUST_PROXY'));
    });
  }

  it('admits everybody by default on embedded stores, and nobody where the list is empty', () => {
    const admitted = (environment: Record<string, string>) => parseConfiguration(environment).allowedEmails;
    const servers = { REDIS_URL: 'redis://h', SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };
    assert.deepEqual(admitted({}), ['*']);
    assert.deepEqual(admitted({ ALLOWED_EMAILS: '' }), []);
    assert.deepEqual(admitted({ ALLOWED_EMAILS: ' , ' }), []);
    assert.deepEqual(admitted(servers), []);
    assert.deepEqual(admitted({ ...servers, ALLOWED_EMAILS: '*' }), ['*']);
    const list = admitted({ ALLOWED_EMAILS: 'Ann@Example.org, *@example.com' });
    assert.deepEqual(list, ['ann@example.org', '*@example.com']);
  });

  for (const value of ['ann', '@example.org', 'a@b@c', '*,ann', 'a*@example.org', '*@*.example.org', '**']) {
    it(`refuses ${value} as addresses that are admitted`, () => {
      assert.throws(() => parseConfiguration({ ALLOWED_EMAILS: value }), names('ALLOWED_EMAILS'));
    });
  }

  it('takes a currency by its code, US dollars unless told otherwise', () => {
    assert.equal(parseConfiguration({}).defaultCurrency, 'USD');
    assert.equal(parseConfiguration({ DEFAULT_CURRENCY: ' JPY ' }).defaultCurrency, 'JPY');
    for (const DEFAULT_CURRENCY of ['eur', 'EURO', 'XYZ', '€', 'XAU']) {
      assert.throws(() => parseConfiguration({ DEFAULT_CURRENCY }), names('DEFAULT_CURRENCY'));
    }
  });

  it('takes whole URLs, links without a trailing slash', () => {
    const configuration = parseConfiguration({
      APP_URL: 'https://budget.example/app/',
      SMTP_URL: 'smtps://ann:s3cret@mail.example',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://[::1]:4318',
    });
    assert.equal(configuration.appUrl, 'https://budget.example/app');
    assert.equal(configuration.smtpUrl, 'smtps://ann:s3cret@mail.example');
    assert.equal(configuration.otlpEndpoint, 'http://[::1]:4318');
  });

  it('writes the address of links as links are written', () => {
    const links = (APP_URL: string) => parseConfiguration({ APP_URL }).appUrl;
    assert.equal(links('https://bücher.example/Übersicht/'), 'https://xn--bcher-kva.example/%C3%9Cbersicht');
    assert.equal(links('https://Budget.example:443'), 'https://budget.example');
  });

  it('takes keys in base64 of either alphabet, filled up or not', () => {
    const key = Buffer.alloc(32, 0xfb);
    for (const SECRET_KEY of [key.toString('base64'), key.toString('base64url')]) {
      assert.deepEqual(parseConfiguration({ SECRET_KEY }).secretKey, key);
    }
    for (const SECRET_KEY of [
      'A'.repeat(45),
      `${'A'.repeat(44)}=`,
      `${'A'.repeat(42)}==`,
      '=',
      'é'.repeat(44),
    ]) {
      assert.throws(() => parseConfiguration({ SECRET_KEY }), names('SECRET_KEY'));
    }
  });

  for (const [variable, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://h:abc'],
    ['REDIS_URL', 'redis://ann:s3cret@h:notaport'],
    ['SMTP_URL', 'smtp://ann:s3cret@h:notaport'],
    ['APP_URL', 'http://h:abc'],
    ['APP_URL', 'http://exa mple'],
    ['APP_URL', 'http://example/a b'],
    ['APP_URL', 'https://budget.example/?q=1'],
    ['APP_URL', 'https://budget.example/#top'],
    ['APP_URL', 'budget.example'],
  ] as const) {
    it(`refuses ${value} as ${variable}`, () => {
      assert.throws(() => parseConfiguration({ [variable]: value }), names(variable));
    });
  }

  it('takes the days between verifications, a part of a day, or none', () => {
    const every = (VERIFY_EVERY?: string) => parseConfiguration({ VERIFY_EVERY }).verifyEveryMs;
    assert.equal(every(), 7 * 86_400_000);
    assert.equal(every('1'), 86_400_000);
    assert.equal(every('0.5'), 43_200_000);
    assert.equal(every('0'), null);
    assert.equal(every('off'), null);
    for (const value of ['7d', '-1', 'weekly', '3651', '1e2', '.5']) {
      assert.throws(() => every(value), names('VERIFY_EVERY'));
    }
  });

  it('takes hours or days between backups of embedded stores', () => {
    const backups = (environment: Record<string, string>) =>
      parseConfiguration({ DATA_DIR: '/data', ...environment }).backups;
    assert.equal(backups({}), null);
    assert.equal(backups({ BACKUP_EVERY: 'off' }), null);
    const daily = { everyMs: 86_400_000, directory: '/data/backups', keep: 7 };
    assert.deepEqual(backups({ BACKUP_EVERY: '1d' }), daily);
    const given = { BACKUP_EVERY: '12h', BACKUP_DIR: '/backups', BACKUP_KEEP: '30' };
    assert.deepEqual(backups(given), { everyMs: 43_200_000, directory: '/backups', keep: 30 });
    for (const BACKUP_EVERY of ['1', '0h', '30m', 'daily', '1.5d']) {
      assert.throws(() => backups({ BACKUP_EVERY }), names('BACKUP_EVERY'));
    }
    assert.throws(() => backups({ BACKUP_EVERY: '1d', BACKUP_KEEP: '0' }), names('BACKUP_KEEP'));
    const SECRET_KEY = Buffer.alloc(32, 1).toString('base64');
    const servers = { SECRET_KEY, MONGODB_URL: 'mongodb://h' };
    assert.throws(() => backups({ ...servers, BACKUP_EVERY: '1d' }), names('BACKUP_EVERY'));
  });
});
