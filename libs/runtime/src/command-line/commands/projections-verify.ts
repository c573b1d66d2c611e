import { Command } from 'commander';
import type { ReadModels } from '#engine/households/read-models';
import type { Head } from '#engine/verify/chain-audit';
import {
  LedgerVerification,
  ReadModelsReplaced,
  type Verification,
  type VerifyOptions,
} from '#engine/verify/verify-ledger';
import type { MembershipFinding } from '#identity/households/membership-chain';
import { householdIdFrom } from '../arguments.js';
import { readExpectedHeads } from '../expected-heads.js';
import { AlreadyReported, CommandFailed } from '../failures.js';
import { showingProgress } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';
import { isSound, printVerification, verificationJson } from '../verification-report.js';
import { type ReadableStores, decimalsIn, requireHousehold, whileReading } from '../reading.js';

interface VerifyCommandOptions {
  readonly household?: string;
  readonly expect?: string;
  readonly json?: boolean;
}

const ABOUT =
  'Checks that the stored data was not changed outside the service.\n\n' +
  'Checks the hash chain of each household’s events, folds the events again, and compares the result with every ' +
  'document that the API serves: months, groups and items, transactions, merchants, counts and funds. Also adds up ' +
  'the transactions and compares the sums with the figures. Follows the membership log of each household, and ' +
  'compares it with who may do what now.\n\n' +
  'Prints the head of each household: its last revision and hash. Keep this output elsewhere. With --expect, a later ' +
  'run proves that the history up to those heads is unchanged; new events may follow. The last line lists what was ' +
  'not checked, such as accounts.\n\n' +
  'Only reads, and works while a server runs. Starts over if a rebuild replaces the read models. The exit code is 1 ' +
  'if anything is wrong.';

const EXAMPLES = `
Examples:
  $ ledger projections verify
  $ ledger projections verify --json > heads-2026-01.json            # keep this file elsewhere
  $ ledger projections verify --expect heads-2026-01.json
  $ ledger projections verify --household 01JZ0000000000000000000ABC --expect export.json
`;

export function verifyCommand(terminal: Terminal): Command {
  return new Command('verify')
    .summary('check the hash chains, and every document against the events')
    .description(ABOUT)
    .option('--household <id>', 'check only this household', householdIdFrom)
    .option(
      '--expect <file>',
      'heads that the histories must contain: the JSON of an earlier run, a backup or an export',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(async (options: VerifyCommandOptions) => {
      const { household } = options;
      const expected = await expectedHeads(options);
      const { verification, version, decimals } = await whileReading(async (stores, configuration) => {
        // A noted household that is gone is not unknown: its head is lost.
        if (household !== undefined && !expected?.length) await requireHousehold(stores, household);
        const bounds = { householdId: household, expected: expected ?? [] };
        const { found, version } = await verifyLive(stores, terminal, async models => ({
          found: await verify(terminal, stores, models, bounds),
          version: models.version,
        }));
        const households = found.wrongSums.map(({ householdId }) => householdId);
        const decimals = await decimalsIn(stores.documents, households, configuration.defaultCurrency);
        const { membershipFindings } = await import('#identity/households/membership-chain');
        const memberships: MembershipFinding[] = [];
        for await (const wrong of membershipFindings(stores.documents, household)) memberships.push(...wrong);
        return { verification: { ...found, memberships }, version, decimals };
      });
      const scope = { householdId: household, expected: expected?.length ?? null };
      if (options.json) await terminal.printJson(verificationJson(verification, version, scope));
      else await printVerification(terminal, verification, decimals, scope);
      if (!isSound(verification)) throw new AlreadyReported();
    });
}

/** The noted heads that are to be found again; null where none were asked for. @throws CommandFailed */
async function expectedHeads({ expect, household }: VerifyCommandOptions): Promise<readonly Head[] | null> {
  if (expect === undefined) return null;
  const heads = await readExpectedHeads(expect);
  const wanted = heads.filter(({ householdId }) => household === undefined || householdId === household);
  if (household !== undefined && wanted.length === 0) {
    throw new CommandFailed(`${expect} contains no head of household ${household}.`);
  }
  // Where nothing had happened yet, there is nothing to find again.
  return wanted.filter(({ hash }) => hash !== null);
}

/** A rebuild takes longer than a verification, so that further ones are hardly met. */
export const VERIFICATIONS_MAX = 5;

/**
 * Verifies the active read models. If another version becomes active meanwhile, it starts over with that one.
 * @param verify throws `ReadModelsReplaced`
 * @throws CommandFailed where that is so each time, and what `verify` throws besides
 */
export async function verifyLive<T>(
  stores: Pick<ReadableStores, 'models' | 'activeModels'>,
  terminal: Pick<Terminal, 'remark'>,
  verify: (models: ReadModels) => Promise<T>,
): Promise<T> {
  let { models } = stores;
  for (let count = 1; ; count++) {
    try {
      return await verify(models);
    } catch (error) {
      if (!(error instanceof ReadModelsReplaced)) throw error;
    }
    if (count === VERIFICATIONS_MAX) {
      throw new CommandFailed(
        `The read models were replaced ${count} times during verification. Try again when no rebuild is running.`,
      );
    }
    terminal.remark('The read models were replaced during verification. Starting over.');
    models = await stores.activeModels();
  }
}

async function verify(
  terminal: Terminal,
  { eventStore, documents, areActive }: ReadableStores,
  models: ReadModels,
  scope: Pick<VerifyOptions, 'householdId' | 'expected'>,
): Promise<Verification> {
  return showingProgress(terminal, onStep => {
    const progress: VerifyOptions['progress'] = (stage, done, total) => {
      const label = stage === 'chains' ? 'Checking hash chains' : 'Comparing documents';
      onStep({ label, unit: 'events', done, total });
    };
    const options = { ...scope, areActive: () => areActive(models), progress };
    return new LedgerVerification(eventStore, documents, models, options).run();
  });
}
