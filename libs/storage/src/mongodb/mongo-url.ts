import { StoreUrlError } from '../store-url-error.js';

/** The database that is used where the URL names none. */
export const DEFAULT_DATABASE = 'household_ledger';

/** What a URL says, apart from its options, which the driver reads. */
interface MongoAddress {
  /** Hosts and ports, for sentences to the operator. */
  readonly where: string;
  readonly database: string;
  readonly optionNames: readonly string[];
}

const SHAPE = /^mongodb(\+srv)?:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^@/?#]*))?(?:\?([^@#]*))?$/;
const CREDENTIALS = /^(?:[^:%]|%[0-9a-fA-F]{2})+(?::(?:[^:%]|%[0-9a-fA-F]{2})*)?$/;
const HOST = /^(?:[A-Za-z0-9_.-]+|\[[0-9a-fA-F:.]+\])(?::(\d{1,5}))?$/;
const DATABASE = /^[A-Za-z0-9_-]{1,63}$/;
const DEFAULT_PORT = '27017';
const LAST_PORT = 65_535;

/** @throws StoreUrlError */
export function parseMongoUrl(url: string): MongoAddress {
  const shape = SHAPE.exec(url);
  if (shape === null) {
    throw new StoreUrlError(
      'MONGODB_URL must look like mongodb://USER:PASSWORD@HOST:PORT/DATABASE, with characters such as @ : / ? # in user and password percent-encoded.',
    );
  }
  const [, srv, credentials, hosts = '', database = '', query = ''] = shape;
  if (credentials !== undefined && !CREDENTIALS.test(credentials)) {
    throw new StoreUrlError(
      'MONGODB_URL has a user or password with characters that must be percent-encoded (such as @ : / ? # %).',
    );
  }
  const name = database === '' ? DEFAULT_DATABASE : decoded(database);
  if (!DATABASE.test(name)) {
    throw new StoreUrlError(
      'MONGODB_URL must name its database by up to 63 letters, digits, hyphens and underscores.',
    );
  }
  return {
    where: srv === undefined ? hosts.split(',').map(hostAndPort).join(', ') : serviceName(hosts),
    database: name,
    optionNames: query.split('&').flatMap(option => /^\w+(?==)/.exec(option) ?? []),
  };
}

function hostAndPort(host: string): string {
  const found = HOST.exec(host);
  const port = found?.[1] ?? DEFAULT_PORT;
  if (found === null || Number(port) < 1 || Number(port) > LAST_PORT) {
    throw new StoreUrlError(
      'MONGODB_URL must name its hosts as host or host:port, several of them separated by commas.',
    );
  }
  return found[1] === undefined ? `${host}:${port}` : host;
}

function serviceName(host: string): string {
  if (HOST.exec(host) === null || host.includes(':')) {
    throw new StoreUrlError('MONGODB_URL with mongodb+srv:// must name exactly one host, without a port.');
  }
  return host;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
