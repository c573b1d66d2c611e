import { Command } from 'commander';
import type { Restored } from '../../backup/restore-backup.js';
import { brokenLinkLines, brokenLinksJson } from '../broken-links.js';
import { AlreadyReported } from '../failures.js';
import { counted, moment } from '../output/formats.js';
import { plainText } from '../output/plain-text.js';
import { Progress } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';

const ABOUT =
  'Restores a backup into DATA_DIR. Stop the server first.\n\n' +
  'The backup is unpacked, checked (events, records, hash chains, heads and the key) and then moved into place. If these ' +
  'are damaged, nothing changes. Damaged read models and mails are left out: the next start makes read models again. If DATA_DIR already holds a ledger, use --replace: it moves the ' +
  'existing files into a directory of their own and does not delete them. A backup with a broken hash chain is still ' +
  'restored, with exit code 1.\n\n' +
  'Read models catch up with the events at the next start. Run `ledger projections verify` after that.';

const EXAMPLES = `
Examples:
  $ DATA_DIR=/var/lib/ledger ledger restore /backups/ledger-2026-01-31.backup
  $ ledger restore --replace /backups/latest.backup
  $ ledger projections verify --expect /backups/latest.backup    # when the server is ready again
`;

export function restoreCommand(terminal: Terminal): Command {
  return new Command('restore')
    .summary('restore a backup into DATA_DIR')
    .description(ABOUT)
    .argument('<file>', 'the backup')
    .option('--replace', 'move the existing ledger aside')
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, { replace = false, json }: { replace?: boolean; json?: boolean }) => {
      const [{ readConfiguration }, { restoreBackup }] = await Promise.all([
        import('../../configuration.js'),
        import('../../backup/restore-backup.js'),
      ]);
      const progress = new Progress(terminal.err);
      const restored = await restoreBackup(readConfiguration(), file, {
        replace,
        onStep: progress.show,
      }).finally(() => progress.end());
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
    erased: restored.erased,
    holds_secret_key: restored.holdsSecretKey,
    households: restored.heads.map(({ householdId, revision, hash }) => {
      return { household_id: householdId, revision, hash };
    }),
    broken_links: brokenLinksJson(restored.brokenLinks),
    left_out: restored.leftOut,
  };
}

async function printRestored(terminal: Terminal, restored: Restored): Promise<void> {
  const what = `${counted(restored.heads.length, 'household')} with ${counted(restored.events, 'event')}`;
  const lines = [
    `Restored ${what}, as of ${moment(restored.madeAt)} UTC, into ${plainText(restored.directory)}.`,
  ];
  if (restored.replaced !== null) lines.push(`The former files are in ${plainText(restored.replaced)}.`);
  if (restored.erased === null) {
    lines.push(
      'The former ledger cannot be read, so households and accounts deleted since the backup may be back.',
    );
  } else if (restored.erased > 0) {
    const deletions = counted(restored.erased, 'deletion', 'deletions');
    lines.push(`The next start repeats ${deletions} of households and accounts.`);
  }
  if (restored.leftOut.length > 0)
    lines.push(
      `Left out, because it is damaged in the backup: ${restored.leftOut.map(plainText).join(', ')}.`,
    );
  if (!restored.holdsSecretKey)
    lines.push('The backup contains no secret key. Set SECRET_KEY to its former value.');
  await terminal.print([...lines, ...brokenLinkLines(restored.brokenLinks)].join('\n'));
}
