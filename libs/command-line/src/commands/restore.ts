import { Command } from 'commander';
import type { Restored } from '#runtime/backup/restore-backup';
import { brokenLinkLines, brokenLinksJson } from '../broken-links.js';
import { AlreadyReported } from '../failures.js';
import { counted, moment } from '../output/formats.js';
import { plainText } from '../output/plain-text.js';
import { Steps } from '../output/steps.js';
import type { Terminal } from '../output/terminal.js';

const ABOUT =
  'Puts a backup into DATA_DIR.\n\n' +
  'The backup is unpacked beside what is there, checked in full (every file, every database, the key, every chain of ' +
  'hashes and head) and then moved into its place, so that nothing changes where it is damaged. It refuses while a ' +
  'server works on the directory. Where there is a ledger already, it refuses too unless told to replace it; then the ' +
  'former files are moved into a directory of their own, not removed. A backup with a broken chain is put in place all ' +
  'the same, and the exit code is 1.\n\n' +
  'At the next start read models follow the events by themselves; only then `ledger projections verify` finds them ' +
  'as they should be.';

const EXAMPLES = `
Examples:
  $ DATA_DIR=/var/lib/ledger ledger restore /backups/ledger-2026-01-31.backup
  $ ledger restore --replace /backups/latest.backup
  $ ledger projections verify --expect /backups/latest.backup    # once the server runs again and is ready
`;

export function restoreCommand(terminal: Terminal): Command {
  return new Command('restore')
    .summary('put a backup into DATA_DIR while no server runs')
    .description(ABOUT)
    .argument('<file>', 'a backup')
    .option('--replace', 'put aside the ledger that is there')
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, { replace = false, json }: { replace?: boolean; json?: boolean }) => {
      const [{ readConfiguration }, { restoreBackup }] = await Promise.all([
        import('#runtime/configuration'),
        import('#runtime/backup/restore-backup'),
      ]);
      const steps = new Steps(terminal.err);
      const restored = await restoreBackup(readConfiguration(), file, {
        replace,
        onStep: steps.show,
      }).finally(() => steps.end());
      if (json) await terminal.printJson(restoredJson(restored));
      else await printRestored(terminal, restored);
      if (restored.brokenLinks.length > 0) throw new AlreadyReported();
    });
}

function restoredJson(restored: Restored): object {
  return {
    directory: restored.directory,
    replaced: restored.replaced,
    made_at: restored.madeAt,
    events: restored.events,
    holds_secret_key: restored.holdsSecretKey,
    households: restored.heads.map(({ householdId, revision, hash }) => {
      return { household_id: householdId, revision, hash };
    }),
    broken_links: brokenLinksJson(restored.brokenLinks),
  };
}

async function printRestored(terminal: Terminal, restored: Restored): Promise<void> {
  const what = `${counted(restored.heads.length, 'household')} with ${counted(restored.events, 'event')}`;
  const lines = [
    `Restored ${what}, as of ${moment(restored.madeAt)} UTC, into ${plainText(restored.directory)}.`,
  ];
  if (restored.replaced !== null) lines.push(`What was there before is in ${plainText(restored.replaced)}.`);
  if (!restored.holdsSecretKey) lines.push('The backup holds no secret key: set SECRET_KEY as it was.');
  await terminal.print([...lines, ...brokenLinkLines(restored.brokenLinks)].join('\n'));
}
