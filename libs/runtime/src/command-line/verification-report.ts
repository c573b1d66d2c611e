import type { BrokenLink, Head, LostHead } from '#engine/verify/chain-audit';
import type { FieldDifference, Difference } from '#engine/verify/household-comparison';
import type { Unfoldable, Verification, WrongSum } from '#engine/verify/verify-ledger';
import type { MembershipFinding } from '#identity/households/membership-chain';
import { decimalText } from '#ledger/values';
import { counted, count, moment, snakeCased } from './output/formats.js';
import { type Column, plainText, type Terminal } from './output/terminal.js';

/** At most this many characters of a value are shown to people; JSON has it whole. */
const VALUE_LENGTH_MAX = 80;

const HEADS: readonly Column<Head>[] = [
  { title: 'HOUSEHOLD', text: ({ householdId }) => householdId },
  { title: 'REVISION', align: 'right', text: ({ revision }) => String(revision) },
  { title: 'HASH', text: ({ hash }) => hash ?? '' },
];

const KINDS: Readonly<Record<Difference['kind'], string>> = {
  differs: 'does not match the events',
  missing: 'is missing',
  unexpected: 'should not exist',
  behind: 'is behind the events',
  damaged: 'is damaged and cannot be read',
};

/** A verification never covers these: there is no history to compare them with. */
const NEVER_COVERED = [
  'accounts, sessions, tokens and settings',
  'names and invites of households',
  'mails that are owed, queued or in the outbox',
  'idempotency keys',
  'snapshots and checkpoints',
  'read models that are not live',
] as const;

/** What was asked for, as far as it bounds what was looked at. */
interface VerificationScope {
  /** Only this household; undefined for all. */
  readonly householdId: string | undefined;
  /** How many noted heads were looked for; null where none were asked for. */
  readonly expected: number | null;
}

/** What a sound verification still says nothing about. */
function notCovered({ householdId, expected }: VerificationScope): string[] {
  return [
    ...NEVER_COVERED,
    ...(expected ? [] : ['last events and whole histories that were replaced (--expect covers them)']),
    ...(householdId === undefined ? [] : ['other households']),
  ];
}

/** What was found of the ledger, and of who may do what in its households. */
interface Findings extends Verification {
  readonly memberships: readonly MembershipFinding[];
}

/** How much is wrong of each kind, as `counted` takes it. */
function faultsIn(found: Findings): readonly Parameters<typeof counted>[] {
  return [
    [found.brokenLinks.length, 'broken chain'],
    [found.lostHeads.length, 'lost head'],
    [found.memberships.length, 'wrong membership'],
    [found.unfoldable.length, 'household that cannot be folded', 'households that cannot be folded'],
    [found.differencesTotal, 'wrong document'],
    [found.wrongSumsTotal, 'wrong sum'],
  ];
}

export function isSound(found: Findings): boolean {
  return faultsIn(found).every(([amount]) => amount === 0);
}

/** For scripts; `--expect` reads the heads in it again. */
export function verificationJson(found: Findings, version: number, scope: VerificationScope): object {
  return {
    ok: isSound(found),
    verified_at: new Date().toISOString(),
    version,
    events: found.events,
    documents: found.documents,
    households: found.heads.map(snakeCased),
    broken_links: found.brokenLinks.map(snakeCased),
    lost_heads: found.lostHeads.map(snakeCased),
    erased_heads: found.erasedHeads.map(snakeCased),
    memberships: found.memberships.map(({ householdId, kind, sequence, userId, logged, present }) => {
      return { household_id: householdId, kind, sequence, user_id: userId, logged, found: present };
    }),
    unfoldable: found.unfoldable.map(snakeCased),
    differences: found.differences.map(({ householdId, collection, key, kind, fields }) => {
      const named = fields.map(({ path, expected, found: is }) => {
        return { path, expected: expected ?? null, found: is ?? null };
      });
      return { household_id: householdId, collection, key, kind, fields: named };
    }),
    differences_total: found.differencesTotal,
    wrong_sums: found.wrongSums.map(snakeCased),
    wrong_sums_total: found.wrongSumsTotal,
    not_covered: notCovered(scope),
  };
}

/** @param decimals of the amounts of a household */
export async function printVerification(
  terminal: Terminal,
  found: Findings,
  decimals: (householdId: string) => number,
  scope: VerificationScope,
): Promise<void> {
  await terminal.printTable(HEADS, [found.heads]);
  if (found.heads.length > 0) await terminal.print('');
  const lines = [
    ...found.brokenLinks.map(brokenLink),
    ...found.lostHeads.map(lostHead),
    ...found.memberships.map(membership),
    ...found.unfoldable.map(unfoldable),
    ...found.differences.flatMap(difference),
  ];
  const more = found.differencesTotal - found.differences.length;
  if (more > 0) lines.push(`… and ${count(more)} more wrong documents.`);
  lines.push(...found.wrongSums.map(sum => wrongSum(sum, decimals(sum.householdId))));
  const moreSums = found.wrongSumsTotal - found.wrongSums.length;
  if (moreSums > 0) lines.push(`… and ${count(moreSums)} more sums that do not add up.`);
  if (lines.length > 0) await terminal.print(`${lines.join('\n')}\n`);
  for (const { householdId, revision, erasedAt } of found.erasedHeads) {
    await terminal.print(
      `Household ${plainText(householdId)} was erased on ${moment(erasedAt)} UTC, with the expected head at revision ${revision}.`,
    );
  }
  await terminal.print(verdict(found, scope.expected));
  await terminal.print(`Not covered: ${notCovered(scope).join('; ')}.`);
}

/** A broken chain in the JSON of `backup` and `restore`. */
export function brokenLinkJson({ householdId, revision, eventId }: BrokenLink): object {
  return { household_id: householdId, revision, event_id: eventId };
}

/** The same for people. */
export function brokenLinkLine({ householdId, revision }: BrokenLink): string {
  return `Household ${householdId}: the hash chain breaks at revision ${revision}. See \`ledger projections verify\`.`;
}

function brokenLink({ householdId, revision, eventId, kind, expected, found }: BrokenLink): string {
  const where = `Household ${householdId}: the hash chain breaks at revision ${revision} (event ${plainText(eventId)})`;
  if (kind === 'gap') return `${where}: expected revision ${expected}.`;
  return `${where}: its previous hash is ${plainText(String(found))}, but the previous event has ${expected}.`;
}

function lostHead({ householdId, revision, expected, found }: LostHead): string {
  const where = `Household ${plainText(householdId)}: the history does not contain the expected head`;
  return found === null
    ? `${where}: it ends before revision ${revision}.`
    : `${where}: revision ${revision} has the hash ${found}, expected ${expected}.`;
}

function membership({ householdId, kind, sequence, userId, logged, present }: MembershipFinding): string {
  const where = `Household ${householdId}:`;
  if (kind === 'broken') return `${where} the chain of the membership log breaks at entry ${sequence}`;
  const is = present === null ? 'is no member' : `is ${present}`;
  const says = logged === null ? 'does not make them a member' : `says ${logged}`;
  return `${where} user ${plainText(userId ?? '')} ${is}, but the membership log ${says}`;
}

function unfoldable({ householdId, revision, reason }: Unfoldable): string {
  const which = revision < 0 ? 'its events' : `the events after revision ${revision}`;
  return `Household ${householdId}: ${which} cannot be folded: ${plainText(reason)}`;
}

function difference({ householdId, collection, key, kind, fields }: Difference): string[] {
  const line = `Household ${plainText(householdId)}: ${collection} ${plainText(key)} ${KINDS[kind]}`;
  return [line, ...fields.map(field)];
}

function wrongSum({ householdId, month, itemId, expected, found }: WrongSum, decimals: number): string {
  const where = `Household ${householdId}:`;
  if (month === null) {
    return `${where} ${found} transactions are counted as untracked, but there are ${expected}`;
  }
  const [is, should] = [found, expected].map(amount => decimalText(amount, decimals));
  return `${where} item ${itemId} has an activity of ${is} in ${month}, but its splits add up to ${should}`;
}

function field({ path, expected, found }: FieldDifference): string {
  const name = path === '' ? '(order of fields)' : plainText(path);
  return path === '' ? `  ${name}` : `  ${name}: ${shown(found)} instead of ${shown(expected)}`;
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : plainText(JSON.stringify(value));
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text;
}

function stillThere(expected: number | null, erased: number): string {
  if (expected === null) return '';
  if (expected === 0) return ' There were no expected heads to check.';
  const gone = erased === 0 ? '' : ` ${counted(erased, 'was', 'were')} erased.`;
  return ` ${counted(expected - erased, 'expected head was', 'expected heads were')} found.${gone}`;
}

function verdict(found: Findings, expected: number | null): string {
  const { heads, events, documents, erasedHeads } = found;
  const checked = [
    counted(heads.length, 'household'),
    counted(events, 'event'),
    counted(documents, 'document'),
  ].join(', ');
  if (isSound(found)) {
    return `Sound: ${checked}. All chains are intact, all documents match the events, all sums add up.${stillThere(expected, erasedHeads.length)}`;
  }
  const faults = faultsIn(found).filter(([amount]) => amount > 0);
  return `NOT SOUND: ${faults.map(fault => counted(...fault)).join(', ')} (${checked}).`;
}
