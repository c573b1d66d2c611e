import { Command } from 'commander';
import type { MadeBackup } from '../../backup/make-backup.js';
import { readConfiguration } from '../../configuration.js';
import { AlreadyReported } from '../failures.js';
import { bytes, counted, snakeCased } from '../output/formats.js';
import { showingProgress } from '../output/progress.js';
import { plainText, type Terminal } from '../output/terminal.js';
import { brokenLinkJson, brokenLinkLine } from '../verification-report.js';

const ABOUT =
  'Backs up the embedded stores into one file, also while a server runs.\n\n' +
  'The file contains everything in DATA_DIR that matters: events, records, read models, mails and the secret ' +
  'key. Protect it like a password; its mode is 0600. It also contains the head of each household, and the hash ' +
  'chains are checked. The file gets its name once it is complete, so an interrupted backup leaves no file of that name. The disk ' +
  'needs room for the backup.\n\n' +
  'To back up EventStoreDB and MongoDB, use their own tools; docs/operations.md describes the order.';

const EXAMPLES = `
Examples:
  $ ledger backup /backups/ledger-2026-01-31.backup
  $ ledger backup --overwrite /backups/latest.backup --json > heads.json
  $ ledger projections verify --expect /backups/latest.backup
`;

const KEPT_ELSEWHERE = {
  environment: 'The backup does not contain SECRET_KEY, which the environment sets. Back it up separately.',
  nowhere:
    'The backup does not contain a secret key, because DATA_DIR has no secret.key. If the server uses SECRET_KEY, ' +
    'back it up separately. Otherwise the next start creates a new key, and existing cursors, pending sign-ups and ' +
    'links in mails become invalid.',
} as const;

export function backupCommand(terminal: Terminal): Command {
  return new Command('backup')
    .summary('back up the embedded stores into one file')
    .description(ABOUT)
    .argument('<file>', 'the file to write')
    .option('--overwrite', 'replace an existing file')
    .option('--json', 'print one JSON document, including the heads')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, { overwrite = false, json }: { overwrite?: boolean; json?: boolean }) => {
      const { makeBackup } = await import('../../backup/make-backup.js');
      const made = await showingProgress(terminal, onStep =>
        makeBackup(readConfiguration(), file, { overwrite, onStep }),
      );
      if (json) await terminal.printJson(backupJson(made));
      else await printBackup(terminal, made);
      if (made.brokenLinks.length > 0) throw new AlreadyReported();
    });
}

function backupJson(made: MadeBackup): object {
  return {
    file: made.file,
    bytes: made.bytes,
    made_at: made.madeAt,
    events: made.events,
    holds_secret_key: made.secretKey === 'backup',
    households: made.heads.map(snakeCased),
    broken_links: made.brokenLinks.map(brokenLinkJson),
  };
}

async function printBackup(terminal: Terminal, made: MadeBackup): Promise<void> {
  const what = `${counted(made.heads.length, 'household')} with ${counted(made.events, 'event')}`;
  const lines = [`Backed up ${what} to ${plainText(made.file)} (${bytes(made.bytes)}).`];
  if (made.secretKey !== 'backup') lines.push(KEPT_ELSEWHERE[made.secretKey]);
  await terminal.print([...lines, ...made.brokenLinks.map(brokenLinkLine)].join('\n'));
}
