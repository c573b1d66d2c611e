import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** `EVENTSTORE_URL` cannot be used. One sentence that names the variable and never holds a password. */
export class EventStoreUrlError extends Error {
  override readonly name = 'EventStoreUrlError';
}

interface Endpoint {
  readonly address: string;
  readonly port: number;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** What a connection URL says. */
export interface EventStoreConnection {
  /** One node, or the nodes to ask for the cluster's members. */
  readonly endpoints: readonly [Endpoint, ...Endpoint[]];
  /** The nodes are found by the gossip of a cluster: `+discover`, or several hosts. */
  readonly cluster: 'none' | 'dns' | 'seeds';
  readonly credentials: Credentials | null;
  readonly tls: boolean;
  readonly rootCertificate: Buffer | null;
  readonly userCertificate: { readonly certificate: Buffer; readonly key: Buffer } | null;
  readonly connectionName: string | null;
  /** Milliseconds. */
  readonly keepAliveInterval: number;
  /** Milliseconds. */
  readonly keepAliveTimeout: number;
  /** How often gossip is asked, how long it waits in between (ms) and for each answer (seconds). */
  readonly maxDiscoverAttempts: number;
  readonly discoveryInterval: number;
  readonly gossipTimeout: number;
}

const SCHEMES = ['esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover'];
const DEFAULT_PORT = 2113;

/** A server that has stopped answering is noticed after both together. */
const KEEP_ALIVE_INTERVAL_MS = 2_000;
const KEEP_ALIVE_TIMEOUT_MS = 2_000;
const MAX_DISCOVER_ATTEMPTS = 3;
const DISCOVERY_INTERVAL_MS = 100;
const GOSSIP_TIMEOUT_SECONDS = 2;

const OPTIONS = [
  'tls',
  'tlsVerifyCert',
  'tlsCAFile',
  'userCertFile',
  'userKeyFile',
  'nodePreference',
  'connectionName',
  'keepAliveInterval',
  'keepAliveTimeout',
  'maxDiscoverAttempts',
  'discoveryInterval',
  'gossipTimeout',
] as const;
type OptionName = (typeof OPTIONS)[number];
type Options = Readonly<Partial<Record<OptionName, string>>>;

/**
 * Reads `scheme://[user:password@]host[:port][,host…][?option=value&…]`. The client's own parser is not used: it
 * knows no `kurrentdb:`, prints the whole text with the password on an unknown option, and ignores
 * `tlsVerifyCert=false` in silence.
 * @throws EventStoreUrlError
 */
export function parseConnectionUrl(url: string): EventStoreConnection {
  const match = /^([a-z+]+):\/\/([^?]*)(?:\?(.*))?$/s.exec(url.trim());
  if (!match || !SCHEMES.includes(match[1] ?? '')) {
    throw new EventStoreUrlError(
      `EVENTSTORE_URL must start with ${SCHEMES.map(scheme => `${scheme}://`).join(' or ')}.`,
    );
  }
  const [, scheme = '', authority = '', query = ''] = match;
  if (query.includes('@')) throw badlyEncoded();
  const at = authority.lastIndexOf('@');
  const endpoints = parseEndpoints(authority.slice(at + 1));
  const options = parseOptions(query);
  const tls = flag(options, 'tls', true);
  refuseUnsafeOptions(options);
  const discover = scheme.endsWith('+discover');
  return {
    endpoints,
    cluster: discover ? 'dns' : endpoints.length > 1 ? 'seeds' : 'none',
    credentials: at < 0 ? null : parseCredentials(authority.slice(0, at)),
    tls,
    rootCertificate: tls ? certificateFile(options, 'tlsCAFile') : null,
    userCertificate: tls ? userCertificate(options) : null,
    connectionName: options.connectionName ?? null,
    keepAliveInterval: count(options, 'keepAliveInterval', KEEP_ALIVE_INTERVAL_MS),
    keepAliveTimeout: count(options, 'keepAliveTimeout', KEEP_ALIVE_TIMEOUT_MS),
    maxDiscoverAttempts: count(options, 'maxDiscoverAttempts', MAX_DISCOVER_ATTEMPTS),
    discoveryInterval: count(options, 'discoveryInterval', DISCOVERY_INTERVAL_MS),
    gossipTimeout: count(options, 'gossipTimeout', GOSSIP_TIMEOUT_SECONDS),
  };
}

/** For log lines and answers to operators: hosts and ports, nothing else. */
export function describeEndpoints({ endpoints }: EventStoreConnection): string {
  return endpoints.map(({ address, port }) => `${address}:${port}`).join(', ');
}

function badlyEncoded(): EventStoreUrlError {
  return new EventStoreUrlError(
    'EVENTSTORE_URL has a user or password with characters that must be percent-encoded (such as @ : / ? #).',
  );
}

function parseCredentials(text: string): Credentials {
  const parts = text.split(':');
  const [username, password] = parts;
  if (parts.length !== 2 || !username || !password || /[@/]/.test(text)) throw badlyEncoded();
  try {
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw badlyEncoded();
  }
}

function parseEndpoints(text: string): readonly [Endpoint, ...Endpoint[]] {
  const [first, ...others] = text.replace(/\/+$/, '').split(',').map(parseEndpoint);
  if (!first) throw noHost();
  return [first, ...others];
}

function parseEndpoint(text: string): Endpoint {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(text.trim());
  const port = Number(match?.[2] ?? DEFAULT_PORT);
  if (!match?.[1] || port < 1 || port > 65_535) throw noHost();
  return { address: match[1], port };
}

function noHost(): EventStoreUrlError {
  return new EventStoreUrlError(
    'EVENTSTORE_URL must name its hosts as host:port, several of them separated by commas.',
  );
}

function parseOptions(query: string): Options {
  const options: Partial<Record<OptionName, string>> = {};
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const [, key = '', value = ''] = /^([a-z_-]{1,40})=(.+)$/i.exec(pair) ?? [];
    const name = OPTIONS.find(known => known.toLowerCase() === key.toLowerCase().replaceAll(/[_-]/g, ''));
    if (!name) {
      throw new EventStoreUrlError(
        `EVENTSTORE_URL has an option that is not supported${key && `, ${key}`}; the options are ${OPTIONS.join(', ')}.`,
      );
    }
    options[name] = decoded(name, value);
  }
  return options;
}

function decoded(name: OptionName, value: string): string {
  try {
    return decodeURIComponent(value.trim());
  } catch {
    throw new EventStoreUrlError(
      `EVENTSTORE_URL has a value of ${name} that is not correctly percent-encoded.`,
    );
  }
}

function refuseUnsafeOptions(options: Options): void {
  if (!flag(options, 'tlsVerifyCert', true)) {
    throw new EventStoreUrlError(
      'EVENTSTORE_URL has tlsVerifyCert=false, which is not supported. Set tlsCAFile to the CA certificate instead.',
    );
  }
  if ((options.nodePreference ?? 'leader').toLowerCase() !== 'leader') {
    throw new EventStoreUrlError(
      'EVENTSTORE_URL has a nodePreference other than leader: a follower may not have the last append yet.',
    );
  }
}

function flag(options: Options, name: OptionName, byDefault: boolean): boolean {
  const value = options[name]?.toLowerCase();
  if (value === undefined) return byDefault;
  if (value !== 'true' && value !== 'false') {
    throw new EventStoreUrlError(`EVENTSTORE_URL must have true or false for ${name}.`);
  }
  return value === 'true';
}

function count(options: Options, name: OptionName, byDefault: number): number {
  const value = options[name] ?? String(byDefault);
  if (!/^[1-9]\d{0,7}$/.test(value)) {
    throw new EventStoreUrlError(`EVENTSTORE_URL must have a whole number above 0 for ${name}.`);
  }
  return Number(value);
}

function userCertificate(options: Options): EventStoreConnection['userCertificate'] {
  const certificate = certificateFile(options, 'userCertFile');
  const key = certificateFile(options, 'userKeyFile');
  if (certificate === null && key === null) return null;
  if (certificate === null || key === null) {
    throw new EventStoreUrlError('EVENTSTORE_URL must set both userCertFile and userKeyFile, or neither.');
  }
  return { certificate, key };
}

function certificateFile(
  options: Options,
  name: 'tlsCAFile' | 'userCertFile' | 'userKeyFile',
): Buffer | null {
  const file = options[name];
  if (file === undefined) return null;
  try {
    return readFileSync(resolve(file));
  } catch {
    throw new EventStoreUrlError(`EVENTSTORE_URL names a ${name} that cannot be read: ${file}.`);
  }
}
