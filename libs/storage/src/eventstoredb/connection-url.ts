import { readFileSync } from 'node:fs';
import type { ChannelCredentialOptions, Credentials, SingleNodeOptions } from '@eventstore/db-client';
import {
  parseConnectionString,
  type ConnectionOptions,
} from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import { StoreUrlError } from '../store-url-error.js';

/** A connection URL as the client takes it. */
export interface EventStoreConnection {
  /** For log lines and answers to operators: hosts and ports, nothing else. */
  readonly where: string;
  /** Or of a cluster: the client's overloads take each kind of settings, but not their union. */
  readonly settings: SingleNodeOptions;
  readonly security: ChannelCredentialOptions;
  readonly credentials: Credentials | undefined;
}

const SCHEME = /^(?:esdb|kurrentdb)(?:\+discover)?:\/\//;
/** What the client would take for another user, password or host than was meant. */
const MISREAD = /@.*@|\?.*@|:[^@]*:[^@]*:[^@]*@/s;
const HOST = /^[\w.-]+$/;
const PORT_MAX = 65_535;
/** Eight digits, as timers hold. */
const NUMBER_MAX = 99_999_999;

/** A server that has stopped answering is noticed after both times together. Milliseconds, `gossipTimeout` seconds. */
const DEFAULTS = {
  keepAliveInterval: 2_000,
  keepAliveTimeout: 2_000,
  maxDiscoverAttempts: 3,
  discoveryInterval: 100,
  gossipTimeout: 2,
};
const NUMBERS = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];
const FILES = ['tlsCAFile', 'userCertFile', 'userKeyFile'] as const;
const OPTIONS = ['tls', 'tlsVerifyCert', ...FILES, 'nodePreference', 'connectionName', ...NUMBERS];

/** Reads a connection URL as the client does, and refuses what that would pass over. @throws StoreUrlError */
export function parseConnectionUrl(url: string): EventStoreConnection {
  const text = url.trim();
  if (!SCHEME.test(text)) {
    throw refusal('must start with esdb://, esdb+discover://, kurrentdb:// or kurrentdb+discover://');
  }
  if (MISREAD.test(text)) throw refusal(`has characters that must be percent-encoded: ${FORM}`);
  refuseOptions(text);
  const options = parsed(text);
  refuseValues(options);
  const { hosts, dnsDiscover, defaultCredentials } = options;
  const [first] = hosts;
  const nodes = hosts.length > 1 ? { endpoints: hosts } : { endpoint: first };
  return {
    where: hosts.map(({ address, port }) => `${address}:${port}`).join(', '),
    settings: {
      ...DEFAULTS,
      ...options,
      ...(dnsDiscover ? { discover: first } : nodes),
    } as SingleNodeOptions,
    security: options.tls === false ? { insecure: true } : certificates(options),
    // They are sent only over TLS.
    credentials: options.tls === false ? undefined : defaultCredentials,
  };
}

const FORM =
  'it is scheme://[user:password@]host:port[,host:port…][?option=value&…], where user, password and values are ' +
  'percent-encoded (such as @ : / ? #)';

function refusal(reason: string): StoreUrlError {
  return new StoreUrlError(`EVENTSTORE_URL ${reason}.`);
}

/** The client prints the whole text, with the password, where it meets one of these. */
function refuseOptions(text: string): void {
  const [, ...query] = text.split('?');
  for (const pair of query.join('?').split('&').filter(Boolean)) {
    const [, key = '', value = ''] = /^([a-z_-]{1,40})=(.*)$/is.exec(pair) ?? [];
    const flat = key.toLowerCase().replaceAll(/[_-]/g, '');
    if (!OPTIONS.some(name => name.toLowerCase() === flat)) {
      throw refusal(
        `has an option that is not supported${key && `, ${key}`}; the options are ${OPTIONS.join(', ')}`,
      );
    }
    if (flat === 'tlsverifycert' && value !== 'true') {
      throw refusal(
        'has a tlsVerifyCert other than true, which is not supported. Set tlsCAFile to the CA certificate instead',
      );
    }
  }
}

/** The client's errors hold the whole text. */
function parsed(text: string): ConnectionOptions {
  let options: ConnectionOptions;
  try {
    options = parseConnectionString(text.replace(/^kurrentdb/, 'esdb').replace('/?', '?'));
  } catch {
    throw refusal(`cannot be read: ${FORM}`);
  }
  const areHosts = options.hosts.every(
    ({ address, port }) => HOST.test(address) && port >= 1 && port <= PORT_MAX,
  );
  if (!areHosts) throw refusal(`names no usable host: ${FORM}`);
  return options;
}

function refuseValues(options: ConnectionOptions): void {
  if ((options.nodePreference ?? 'leader') !== 'leader') {
    throw refusal('has a nodePreference other than leader: a follower may not have the last append yet');
  }
  const wrong = NUMBERS.find(name => {
    const value = options[name] ?? DEFAULTS[name];
    return value < 1 || value > NUMBER_MAX;
  });
  if (wrong !== undefined) throw refusal(`must have a whole number above 0 for ${wrong}`);
}

function certificates(options: ConnectionOptions): ChannelCredentialOptions {
  const [rootCertificate, userCertFile, userKeyFile] = FILES.map(name => fileNamed(options, name));
  if ((userCertFile === undefined) !== (userKeyFile === undefined)) {
    throw refusal('must set both userCertFile and userKeyFile, or neither');
  }
  return {
    ...(rootCertificate && { rootCertificate }),
    ...(userCertFile && userKeyFile && { userCertFile, userKeyFile }),
  };
}

function fileNamed(options: ConnectionOptions, name: (typeof FILES)[number]): Buffer | undefined {
  const file = options[name];
  if (file === undefined) return undefined;
  try {
    return readFileSync(file);
  } catch {
    throw refusal(`names a ${name} that cannot be read: ${file}`);
  }
}
