import { Command } from 'commander';
import type { MadeBackup } from '#runtime/backup/make-backup';
import { brokenLinkLines, brokenLinksJson } from '../broken-links.js';
import { AlreadyReported } from '../failures.js';
import { bytes, counted } from '../output/formats.js';
import { plainText } from '../output/plain-text.js';
import { Steps } from '../output/steps.js';
import type { Terminal } from '../output/terminal.js';

const ABOUT =
  'Copies the embedded stores into one file, also while a server works on them.\n\n' +
  'The file holds everything in DATA_DIR that matters: events, records, read models, jobs, mails and the secret key. ' +
  'Keep it like a password; its mode is 0600. It carries the head of each household, and its chains of hashes are ' +
  'followed while it is made. It gets its name when it is whole: an interrupted backup leaves none of that name. ' +
  'Beside the file there must be room for it and the largest database.\n\n' +
  'Stores on servers are backed up by their own means; docs/operations.md tells in which order.';

const EXAMPLES = `
Examples:
  $ ledger backup /backups/ledger-2026-01-31.backup
  $ ledger backup --overwrite /backups/latest.backup --json > heads.json
  $ ledger projections verify --expect /backups/latest.backup
`;

/** What is said where the secret key is not in the backup. */
const KEPT_ELSEWHERE = {
  environment: 'SECRET_KEY is set by the environment and not in it: keep that as well.',
  nowhere:
    'DATA_DIR has no secret.key, so that it holds none: keep SECRET_KEY as well if the server is given it; otherwise ' +
    'the next start makes a new key, and links in mails, cursors and waiting sign-ups of before are invalid.',
} as const;

export function backupCommand(terminal: Terminal): Command {
  return new Command('backup')
    .summary('copy the embedded stores into one file, also beside a running server')
    .description(ABOUT)
    .argument('<file>', 'the file to write')
    .option('--overwrite', 'take the place of a file that is there')
    .option('--json', 'print one JSON document, with the heads')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, { overwrite = false, json }: { overwrite?: boolean; json?: boolean }) => {
      const [{ readConfiguration }, { makeBackup }] = await Promise.all([
        import('#runtime/configuration'),
        import('#runtime/backup/make-backup'),
      ]);
      const steps = new Steps(terminal.err);
      const made = await makeBackup(readConfiguration(), file, { overwrite, onStep: steps.show }).finally(
        () => steps.end(),
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
    households: made.heads.map(({ householdId, revision, hash }) => {
      return { household_id: householdId, revision, hash };
    }),
    broken_links: brokenLinksJson(made.brokenLinks),
  };
}

async function printBackup(terminal: Terminal, made: MadeBackup): Promise<void> {
  const what = `${counted(made.heads.length, 'household')} with ${counted(made.events, 'event')}`;
  const lines = [`Backed up ${what} to ${plainText(made.file)} (${bytes(made.bytes)}).`];
  if (made.secretKey !== 'backup') lines.push(KEPT_ELSEWHERE[made.secretKey]);
  await terminal.print([...lines, ...brokenLinkLines(made.brokenLinks)].join('\n'));
}
