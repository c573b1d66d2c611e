import { Command, type CommanderError } from 'commander';
import { SERVICE_VERSION } from './service-version.js';

/** A program that serves, as its operator sees it. */
export interface ServerProgram {
  /** What it is started with. */
  readonly name: string;
  readonly about: string;
  /** Whether it can run with a demo household. */
  readonly hasDemo?: boolean;
}

/** What a server program is asked for by its arguments; everything else is set by the environment. */
export interface ServerArguments {
  readonly demo: boolean;
}

/** Arguments that the program does not have; as the program `ledger` ends. */
const EXIT_WRONG_USAGE = 2;

/** Every setting, with its default, as docs/configuration.md lists them. */
export const SETTINGS: readonly (readonly [name: string, unset: string, meaning: string])[] = [
  ['HOST', '127.0.0.1', 'address to listen on'],
  ['PORT', '3000', 'port to listen on; 0 picks a free one'],
  ['DATA_DIR', './data', 'directory for embedded stores, outbox and secret key; one server at a time'],
  ['APP_URL', "the server's own address", 'base URL of links in mails'],
  [
    'ALLOWED_EMAILS',
    '* while every store is embedded, else only invited people',
    'who may sign up: addresses, *@domain or *; invited people always may',
  ],
  ['DEFAULT_CURRENCY', 'USD', 'currency of households created without one, as an ISO 4217 code'],
  ['EVENTSTORE_URL', 'embedded', 'esdb://… or kurrentdb://…, optionally with +discover'],
  ['MONGODB_URL', 'embedded', 'mongodb://… or mongodb+srv://…'],
  ['REDIS_URL', 'embedded', 'redis://… or rediss://…'],
  ['SMTP_URL', 'files in DATA_DIR/outbox', 'smtp://… or smtps://…'],
  ['MAIL_FROM', 'Household Ledger <ledger@localhost>', 'sender of mails'],
  [
    'SECRET_KEY',
    'made once into DATA_DIR/secret.key',
    'base64 of at least 32 bytes; required unless every store is embedded',
  ],
  ['LOG_LEVEL', 'info', 'trace, debug, info, warn, error, fatal or silent'],
  ['TRUST_PROXY', 'false', 'proxies whose X-Forwarded-* headers to trust: true, false or addresses'],
  ['WEB', 'on', 'on or off: whether the web app is served'],
  ['VERIFY_EVERY', '7', 'days between verifications in the background; off or 0 switches them off'],
  ['BACKUP_EVERY', 'off', 'time between backups of embedded stores, in hours or days: 12h, 1d; or off'],
  ['BACKUP_DIR', 'DATA_DIR/backups', 'directory for scheduled backups; better on another disk'],
  ['BACKUP_KEEP', '7', 'number of scheduled backups to keep'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'none', 'OpenTelemetry collector to send traces to'],
];

/**
 * Reads the arguments of this process. `--help` and `--version` are answered on standard output and end it with exit
 * code 0; what the program does not have is named on standard error and ends it with 2, before anything is opened.
 */
export function readServerArguments(program: ServerProgram, argv = process.argv): ServerArguments {
  const command = new Command(program.name)
    .description(program.about)
    .version(SERVICE_VERSION, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', settingsHelp())
    .showHelpAfterError(`Run \`${program.name} --help\` for usage.`)
    .exitOverride(({ exitCode }: CommanderError) => process.exit(exitCode === 0 ? 0 : EXIT_WRONG_USAGE));
  if (program.hasDemo)
    command.option('--demo', 'run with a demo household in a fresh directory, like `npm run demo`');
  const { demo = false } = command.parse(argv).opts<Partial<ServerArguments>>();
  return { demo };
}

function settingsHelp(): string {
  const width = Math.max(...SETTINGS.map(([name]) => name.length));
  const lines = SETTINGS.map(([name, unset, meaning]) => `  ${name.padEnd(width)}  ${meaning} (${unset})`);
  return `
Settings are environment variables, or lines of a file .env in this directory. To read a setting from a file, set
NAME_FILE=/run/secrets/name. Defaults are in parentheses.

${lines.join('\n')}
`;
}
