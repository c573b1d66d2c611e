import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { config as readDotEnv } from 'dotenv';
import { isCurrency } from '#http/currencies';
import { foldEmail } from '#identity/accounts/email-address';
import { SECRET_KEY_BYTES_MIN } from '#identity/secrets';

/** A setting is missing or wrong. The message is one sentence that names the variable, never a secret's value. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Configuration {
  readonly host: string;
  readonly port: number;
  readonly dataDirectory: string;
  /** Where links in mails lead; null: the server's own address. Without a trailing slash, query or fragment. */
  readonly appUrl: string | null;
  /** Addresses, `*@domain`, or `*`: who may open an account. */
  readonly allowedEmails: readonly string[];
  /** By its code of ISO 4217: that of households whose makers name none. */
  readonly defaultCurrency: string;
  /** Null: the embedded store. */
  readonly eventStoreUrl: string | null;
  readonly mongodbUrl: string | null;
  readonly redisUrl: string | null;
  /** Null: mails become files in `DATA_DIR/outbox`. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** Null where none is set: each program has its own then. */
  readonly logLevel: LogLevel | null;
  /** Which proxies' `X-Forwarded-*` headers count: none, all, or those at these addresses and ranges. */
  readonly trustProxy: boolean | readonly string[];
  /** Null: made once into `DATA_DIR/secret.key`. */
  readonly secretKey: Buffer | null;
  readonly otlpEndpoint: string | null;
  /** Whether the web app is served, by a process that answers the API. */
  readonly web: boolean;
  /** How long after the end of a verification a projector begins the next one, in milliseconds; null: never. */
  readonly verifyEveryMs: number | null;
  /** Null: no scheduled backups. */
  readonly backups: BackupSettings | null;
}

export interface BackupSettings {
  readonly everyMs: number;
  readonly directory: string;
  /** How many of them stay. */
  readonly keep: number;
}

/** Ranges of addresses by the names that Fastify knows. */
const NAMED_RANGES: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);
/** `*`, `*@domain` or an address. */
const ALLOWED_EMAIL = /^(?:\*|(?:\*|[^@\s*]+)@[^@\s*]+)$/;
/** In either alphabet, with or without what fills up the last four characters (RFC 4648). */
const BASE64 = /^(?:[\w+/-]{4})*(?:[\w+/-]{2}(?:==)?|[\w+/-]{3}=?)?$/;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS_MAX = 3_650;
const DEFAULT_MAIL_FROM = 'Household Ledger <ledger@localhost>';

type Environment = Readonly<Record<string, string | undefined>>;

/** The process's environment over what `.env` in the working directory says. @throws ConfigurationError */
export function readConfiguration(): Configuration {
  const fromFile: Record<string, string> = {};
  const { error } = readDotEnv({ processEnv: fromFile, quiet: true });
  if (error && 'code' in error && error.code !== 'ENOENT') {
    throw new ConfigurationError('The file .env in this directory cannot be read.');
  }
  return parseConfiguration(settingsOver(fromFile, process.env));
}

/** What the environment says of a setting, by its value or by a file, stands before what `.env` says of it. */
export function settingsOver(dotEnv: Environment, environment: Environment): Environment {
  const said = Object.entries(dotEnv).filter(([name]) => {
    const otherName = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`;
    return !environment[otherName]?.trim();
  });
  return { ...Object.fromEntries(said), ...environment };
}

/** @throws ConfigurationError for the first setting that is wrong */
export function parseConfiguration(environment: Environment): Configuration {
  const eventStoreUrl = url(environment, 'EVENTSTORE_URL', [
    'esdb:',
    'esdb+discover:',
    'kurrentdb:',
    'kurrentdb+discover:',
  ]);
  const mongodbUrl = url(environment, 'MONGODB_URL', ['mongodb:', 'mongodb+srv:']);
  const redisUrl = plainUrl(environment, 'REDIS_URL', ['redis:', 'rediss:']);
  const embedded = eventStoreUrl === null && mongodbUrl === null && redisUrl === null;
  const secretKey = readSecretKey(environment);
  if (!embedded && secretKey === null) {
    throw new ConfigurationError(
      'SECRET_KEY is required unless every store is embedded, and must be the same on every instance. Create one with `openssl rand -base64 32`.',
    );
  }
  const dataDirectory = resolve(text(environment, 'DATA_DIR') ?? './data');
  return {
    host: text(environment, 'HOST') ?? '127.0.0.1',
    port: port(environment),
    dataDirectory,
    appUrl: appUrl(environment),
    allowedEmails: allowedEmails(environment, embedded),
    defaultCurrency: defaultCurrency(environment),
    eventStoreUrl,
    mongodbUrl,
    redisUrl,
    smtpUrl: plainUrl(environment, 'SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: text(environment, 'MAIL_FROM') ?? DEFAULT_MAIL_FROM,
    logLevel: logLevel(environment),
    trustProxy: trustProxy(environment),
    secretKey,
    otlpEndpoint: plainUrl(environment, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
    web: web(environment),
    verifyEveryMs: verifyEvery(environment),
    backups: backups(environment, dataDirectory, eventStoreUrl === null && mongodbUrl === null),
  };
}

/** A variable, or the content of the file that `NAME_FILE` names; secrets in containers come as files. */
function text(environment: Environment, name: string): string | null {
  const value = environment[name]?.trim();
  if (value) return value;
  const file = environment[`${name}_FILE`]?.trim();
  if (!file) return null;
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch {
    throw new ConfigurationError(`${name}_FILE names a file that cannot be read: ${file}.`);
  }
}

/** The URL of a database may name several hosts; its client parses it. */
function url(environment: Environment, name: string, schemes: readonly string[]): string | null {
  const value = text(environment, name);
  if (value === null) return null;
  const scheme = /^[a-z+]+:/.exec(value)?.[0] ?? '';
  const hasHost = /^[a-z+]+:\/\/[^/?#]+/.test(value);
  if (!schemes.includes(scheme) || !hasHost) throw wrongUrl(name, schemes);
  return value;
}

/** A URL of one host, which is whole: its port is a number, its host can be one. */
function plainUrl(environment: Environment, name: string, schemes: readonly string[]): string | null {
  const value = url(environment, name, schemes);
  if (value !== null && !URL.canParse(value)) throw wrongUrl(name, schemes);
  return value;
}

function wrongUrl(name: string, schemes: readonly string[]): ConfigurationError {
  const examples = schemes.map(known => `${known}//`).join(' or ');
  return new ConfigurationError(`${name} must be a URL that starts with ${examples} and names a host.`);
}

function appUrl(environment: Environment): string | null {
  const value = plainUrl(environment, 'APP_URL', ['http:', 'https:']);
  if (value !== null && /[?#]/.test(value)) {
    throw new ConfigurationError(
      'APP_URL must not have a query or a fragment, because paths are appended to it.',
    );
  }
  if (value !== null && /\s/.test(value)) {
    throw new ConfigurationError('APP_URL must not contain white space.');
  }
  // As links are written: hosts and paths of other alphabets encoded.
  return value === null ? null : new URL(value).href.replace(/\/+$/, '');
}

/** A setting, or what it is where it is not set. @throws ConfigurationError with the sentence for a wrong one */
function checked(
  environment: Environment,
  name: string,
  unset: string,
  isRight: (value: string) => boolean,
  sentence: string,
): string {
  const value = text(environment, name) ?? unset;
  if (isRight(value)) return value;
  throw new ConfigurationError(`${name} must be ${sentence}.`);
}

function port(environment: Environment): number {
  const isPort = (value: string): boolean => /^\d{1,5}$/.test(value) && Number(value) <= 65_535;
  const sentence = 'a number from 0 to 65535 (0 takes any free port)';
  return Number(checked(environment, 'PORT', '3000', isPort, sentence));
}

/** If it is set and empty, it admits no one; other settings that are empty count as absent. */
function allowedEmails(environment: Environment, embedded: boolean): readonly string[] {
  const isSaid = environment['ALLOWED_EMAILS'] !== undefined || Boolean(environment['ALLOWED_EMAILS_FILE']);
  if (!isSaid && embedded) return ['*'];
  const value = text(environment, 'ALLOWED_EMAILS') ?? '';
  const entries = value.split(/[\s,;]+/).filter(entry => entry !== '');
  const wrong = entries.find(entry => !ALLOWED_EMAIL.test(entry));
  if (wrong !== undefined) {
    throw new ConfigurationError(
      `ALLOWED_EMAILS must list addresses, *@domain or *, separated by commas; "${wrong}" is not valid.`,
    );
  }
  return entries.map(foldEmail);
}

function defaultCurrency(environment: Environment): string {
  const sentence = 'a currency code of ISO 4217, such as USD, EUR or JPY';
  return checked(environment, 'DEFAULT_CURRENCY', 'USD', isCurrency, sentence);
}

function logLevel(environment: Environment): LogLevel | null {
  const value = text(environment, 'LOG_LEVEL');
  if (value === null) return null;
  const level = LOG_LEVELS.find(known => known === value.toLowerCase());
  if (!level) throw new ConfigurationError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`);
  return level;
}

function web(environment: Environment): boolean {
  return checked(environment, 'WEB', 'on', value => value === 'on' || value === 'off', 'on or off') === 'on';
}

function verifyEvery(environment: Environment): number | null {
  const isRight = (value: string): boolean =>
    value === 'off' || (/^\d+(?:\.\d+)?$/.test(value) && Number(value) <= DAYS_MAX);
  const sentence = `a number of days up to ${DAYS_MAX}, or off`;
  const value = checked(environment, 'VERIFY_EVERY', '7', isRight, sentence);
  return value === 'off' || Number(value) === 0 ? null : Number(value) * DAY_MS;
}

function backups(
  environment: Environment,
  dataDirectory: string,
  areEmbedded: boolean,
): BackupSettings | null {
  const value = text(environment, 'BACKUP_EVERY') ?? 'off';
  if (value === 'off') return null;
  const [, number, unit] = /^([1-9]\d{0,3})([hd])$/.exec(value) ?? [];
  if (number === undefined) {
    throw new ConfigurationError('BACKUP_EVERY must be hours or days, such as 12h or 1d, or off.');
  }
  if (!areEmbedded) {
    throw new ConfigurationError(
      'BACKUP_EVERY backs up embedded stores only, but a URL names a server; docs/operations.md describes how to back up servers.',
    );
  }
  const isNumber = (text: string): boolean => /^[1-9]\d{0,3}$/.test(text);
  const keep = Number(checked(environment, 'BACKUP_KEEP', '7', isNumber, 'a number from 1 to 9999'));
  return {
    everyMs: Number(number) * (unit === 'd' ? DAY_MS : HOUR_MS),
    directory: resolve(text(environment, 'BACKUP_DIR') ?? join(dataDirectory, 'backups')),
    keep,
  };
}

function trustProxy(environment: Environment): boolean | readonly string[] {
  const value = text(environment, 'TRUST_PROXY');
  if (value === null || value === 'false') return false;
  if (value === 'true') return true;
  const entries = value.split(',').map(entry => entry.trim());
  if (entries.every(isAddressRange)) return entries;
  throw new ConfigurationError(
    `TRUST_PROXY must be true, false, or addresses and ranges separated by commas, such as 10.0.0.0/8, ${[...NAMED_RANGES].join(', ')}.`,
  );
}

/** An address, one with the length of its prefix or its mask, or the name of a range. */
function isAddressRange(entry: string): boolean {
  if (NAMED_RANGES.has(entry)) return true;
  const [, address = '', mask] = /^([\d.a-f:]+)(?:\/([\d.]+))?$/i.exec(entry) ?? [];
  const kind = isIP(address);
  if (kind === 0 || mask === undefined) return kind !== 0;
  if (isIP(mask) === 4) return kind === 4 && isMask(mask);
  return /^\d{1,3}$/.test(mask) && Number(mask) >= 1 && Number(mask) <= (kind === 4 ? 32 : 128);
}

/** Ones, and then zeros: those that the proxy check of Fastify takes. */
function isMask(address: string): boolean {
  const bits = address.split('.').map(part => Number(part).toString(2).padStart(8, '0'));
  return /^1+0*$/.test(bits.join(''));
}

function readSecretKey(environment: Environment): Buffer | null {
  const value = text(environment, 'SECRET_KEY');
  if (value === null) return null;
  const key = Buffer.from(value, 'base64');
  if (!BASE64.test(value) || key.length < SECRET_KEY_BYTES_MIN) {
    throw new ConfigurationError(
      `SECRET_KEY must be base64 of at least ${SECRET_KEY_BYTES_MIN} random bytes. Create one with \`openssl rand -base64 32\`.`,
    );
  }
  return key;
}
