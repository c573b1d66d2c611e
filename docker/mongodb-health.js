// Run by mongosh as the health check of the MongoDB server. Makes the replica set of one member and the service's
// own user where they are missing, and says that all is well once this member takes writes. Every step may be
// repeated, so it does not matter when the container was killed.
const { readFileSync } = require('node:fs');

const secret = name => readFileSync(`/run/secrets/${name}`, 'utf8').trim();
const root = encodeURIComponent(secret('mongodb_root_password'));
const admin = connect(`mongodb://root:${root}@127.0.0.1:27017/admin?directConnection=true`);

const NOT_YET_INITIALIZED = 94;

function initiated() {
  try {
    return admin.runCommand({ replSetGetStatus: 1 }).ok === 1;
  } catch (error) {
    if (error.code === NOT_YET_INITIALIZED) return false;
    throw error;
  }
}

if (!initiated()) {
  admin.runCommand({
    replSetInitiate: { _id: 'ledger', members: [{ _id: 0, host: 'mongodb:27017' }] },
  });
}
if (!admin.runCommand({ hello: 1 }).isWritablePrimary) quit(1);

const database = admin.getSiblingDB('household_ledger');
if (database.runCommand({ usersInfo: 'ledger' }).users.length === 0) {
  database.runCommand({ createUser: 'ledger', pwd: secret('mongodb_password'), roles: ['readWrite'] });
}
quit(0);
