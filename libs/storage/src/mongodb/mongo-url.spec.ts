import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MongoDocuments } from './mongo-documents.js';
import { DEFAULT_DATABASE, parseMongoUrl } from './mongo-url.js';

const PASSWORD = 'p4ss-w0rd';

/** One sentence that names the variable and tells nothing of the password. */
function refused(url: string, words: RegExp): void {
  assert.throws(
    () => MongoDocuments.open({ url }),
    (error: unknown) => {
      assert.ok(error instanceof Error);
      assert.equal(error.name, 'StoreUrlError');
      assert.match(error.message, /^MONGODB_URL [^\n]*\.$/);
      assert.match(error.message, words);
      assert.doesNotMatch(`${error.message}${error.stack}${String(error.cause)}`, /p4ss|w0rd/);
      return true;
    },
    url,
  );
}

describe('MONGODB_URL', () => {
  it('may name one server, and then uses port 27017 and the default database', async () => {
    for (const url of [
      'mongodb://mongo.example',
      'mongodb://mongo.example/',
      'mongodb://mongo.example/?tls=true',
    ]) {
      const { where, database } = parseMongoUrl(url);
      assert.equal(where, 'mongo.example:27017');
      assert.equal(database, DEFAULT_DATABASE);
      await MongoDocuments.open({ url }).close();
    }
  });

  it('may name the members of a replica set, a user, and a database', async () => {
    const url = `mongodb://us%40er:${PASSWORD}%2F@one:27018,two,[::1]:27019/budget?replicaSet=rs0&w=1&readPreference=secondary`;
    const { where, database } = parseMongoUrl(url);
    assert.equal(where, 'one:27018, two:27017, [::1]:27019');
    assert.equal(database, 'budget');
    await MongoDocuments.open({ url }).close();
  });

  it('may name a service', () => {
    assert.equal(parseMongoUrl('mongodb+srv://cluster.example/budget').where, 'cluster.example');
    refused(`mongodb+srv://u:${PASSWORD}@one.example:27017`, /one host, without a port/);
    refused(`mongodb+srv://u:${PASSWORD}@one.example,two.example`, /one host, without a port/);
  });

  it('is refused for another scheme or shape', () => {
    for (const url of [
      '',
      PASSWORD,
      `http://u:${PASSWORD}@localhost`,
      'localhost:27017',
      'mongodb:/localhost',
    ]) {
      refused(url, /must look like mongodb:\/\//);
    }
  });

  it('is refused when user and password are not percent-encoded', () => {
    for (const userInfo of [`u:${PASSWORD}@x`, `u:${PASSWORD}/x`, `u:${PASSWORD}?x`, `u:${PASSWORD}#x`]) {
      refused(`mongodb://${userInfo}@localhost`, /percent-encoded/);
    }
    for (const userInfo of [`u:${PASSWORD}:x`, `u:${PASSWORD}%zz`, `:${PASSWORD}`]) {
      refused(`mongodb://${userInfo}@localhost`, /user or password with characters/);
    }
  });

  it('is refused without usable hosts', () => {
    for (const hosts of [',', 'a,,b', 'host:port', 'host:0', 'host:65536', 'ho st', 'a:1:2']) {
      refused(`mongodb://u:${PASSWORD}@${hosts}`, /hosts as host or host:port/);
    }
  });

  it('is refused for a database that cannot be', () => {
    for (const database of ['a.b', 'a%20b', '%zz', 'x'.repeat(64)]) {
      refused(`mongodb://u:${PASSWORD}@localhost/${database}`, /name its database/);
    }
  });

  it('is refused for options that are unknown, wrong or contradictory', () => {
    const at = `mongodb://u:${PASSWORD}@localhost/?`;
    refused(`${at}tsl=true`, /not supported: tsl/);
    refused(`${at}tls=perhaps`, /with these values \(it has tls\)/);
    refused(`${at}tls=true&tls=false`, /MONGODB_URL has options/);
    refused(`${at}maxIdleTimeMS=many`, /with these values \(it has maxIdleTimeMS\)/);
    refused(
      `${at}tlsCertificateKeyFilePassword=${PASSWORD}&tls=maybe`,
      /it has tlsCertificateKeyFilePassword, tls/,
    );
  });
});
