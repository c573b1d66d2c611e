import { Command } from 'commander';
import type { Restored } from '../../backup/restore-backup.js';
import { readConfiguration } from '../../configuration.js';
import { AlreadyReported } from '../failures.js';
import { counted, moment, snakeCased } from '../output/formats.js';
import { showingProgress } from '../output/progress.js';
import { plainText, type Terminal } from '../output/terminal.js';
import { brokenLinkJson, brokenLinkLine } from '../verification-report.js';

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
      const { restoreBackup } = await import('../../backup/restore-backup.js');
      const restored = await showingProgress(terminal, onStep =>
        restoreBackup(readConfiguration(), file, { replace, onStep }),
      );
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
    households: restored.heads.map(snakeCased),
    broken_links: restored.brokenLinks.map(brokenLinkJson),
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
  await terminal.print([...lines, ...restored.brokenLinks.map(brokenLinkLine)].join('\n'));
}
