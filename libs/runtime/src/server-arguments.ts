import { Command, type CommanderError } from 'commander';
import { SERVICE_VERSION } from './service-version.js';

/** A program that serves, as whoever runs it sees it. */
export interface ServerProgram {
  /** What it is started with. */
  readonly name: string;
  /** One sentence. */
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
  ['HOST', '127.0.0.1', 'the address to listen on'],
  ['PORT', '3000', 'the port; 0 takes any free one'],
  ['DATA_DIR', './data', 'embedded stores, outbox, secret key; one server at a time'],
  ['APP_URL', "the server's own address", 'where links in mails lead'],
  ['ALLOWED_EMAILS', '* while every store is embedded, else nobody', 'who may open an account'],
  ['DEFAULT_CURRENCY', 'USD', 'the currency of households whose makers name none, by its code of ISO 4217'],
  ['EVENTSTORE_URL', 'embedded', 'esdb://…, kurrentdb://…, each also with +discover'],
  ['MONGODB_URL', 'embedded', 'mongodb://…, mongodb+srv://…'],
  ['REDIS_URL', 'embedded', 'redis://…, rediss://…'],
  ['SMTP_URL', 'files in DATA_DIR/outbox', 'smtp://…, smtps://…'],
  ['MAIL_FROM', 'Household Ledger <ledger@localhost>', 'the sender of mails'],
  [
    'SECRET_KEY',
    'made once into DATA_DIR/secret.key',
    'base64 of at least 32 bytes; required once a store is not embedded',
  ],
  ['LOG_LEVEL', 'info', 'trace … fatal, silent'],
  ['TRUST_PROXY', 'false', 'the proxies whose X-Forwarded-* count'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'none', 'where OpenTelemetry traces are sent'],
];

/**
 * Reads the arguments of this process. `--help` and `--version` are answered on standard output and end it with exit
 * code 0; what the program does not have is named on standard error and ends it with 2, before anything is opened.
 */
export function readServerArguments(program: ServerProgram, argv = process.argv): ServerArguments {
  const command = new Command(program.name)
    .description(program.about)
    .version(SERVICE_VERSION, '--version', 'print the version')
    .helpOption('-h, --help', 'print this')
    .addHelpText('after', settingsHelp())
    .showHelpAfterError('(--help tells how)')
    .exitOverride(({ exitCode }: CommanderError) => process.exit(exitCode === 0 ? 0 : EXIT_WRONG_USAGE));
  if (program.hasDemo)
    command.option('--demo', 'with a demo household in a fresh directory, as `npm run demo`');
  const { demo = false } = command.parse(argv).opts<Partial<ServerArguments>>();
  return { demo };
}

function settingsHelp(): string {
  const width = Math.max(...SETTINGS.map(([name]) => name.length));
  const lines = SETTINGS.map(([name, unset, meaning]) => `  ${name.padEnd(width)}  ${meaning} (${unset})`);
  return `
Settings, with what they are where they are not set, come from the environment, or a file .env in this directory; each
can be given as a file, as NAME_FILE=/run/secrets/name:
${lines.join('\n')}
`;
}
