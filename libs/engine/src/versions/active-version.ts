import { EVERY_KEY } from '#storage/documents/declared';
import type { Collection, Document, Documents } from '#storage/documents/documents';
import { insertIfAbsent } from '#storage/documents/insert-if-absent';
import { collectionsOf, FIRST_VERSION, readModelsOf, derived } from '../households/read-models.js';
import { snapshotCollections, type SnapshotCollections } from '../households/snapshots.js';
import type { StandingDocuments } from '../households/standing-documents.js';

interface WrittenBeside {
  readonly version: number;
  /** Whether it reflects every event but the latest: then commands write it before they respond, and not the replay alone. */
  readonly complete: boolean;
}

type RebuildPhase =
  /** Events are applied from the beginning. */
  | 'replaying'
  /** Waits until every process writes the new version too, then applies the rest of the events. */
  | 'joining'
  /** The new version is compared with the events. */
  | 'verifying'
  /** The new version is active; waits until every process reads it. */
  | 'settling';

/** A running rebuild. */
export interface RebuildState {
  readonly id: string;
  readonly phase: RebuildPhase;
  /** The version that it builds. */
  readonly version: number;
}

export interface EndedRebuild {
  readonly id: string;
  /** Why the active version stayed, in one sentence; null if the new one took its place. */
  readonly failure: string | null;
}

/** Names the version of the read models that queries read, and the running rebuild. Every process acts by it. */
export interface ActiveVersion extends Document {
  readonly active: number;
  readonly beside: WrittenBeside | null;
  readonly rebuild: RebuildState | null;
  /** The last one. Recorded in the change that ends it: the process that worked on it may end before it reports. */
  readonly ended: EndedRebuild | null;
  /** The highest number that a version ever had. */
  readonly last: number;
  /** Collections that no process reads or writes any more, until they are dropped. */
  readonly dropping: readonly string[];
}

export type VersionChange = Partial<Omit<ActiveVersion, 'key' | 'revision'>>;

const KEY = 'pointer';

/** Its name is older than the word. */
export const ACTIVE_VERSION = derived<ActiveVersion>('read_model_pointer');

/** As long as nothing was ever rebuilt. */
export const FIRST_ACTIVE_VERSION: ActiveVersion = {
  key: KEY,
  revision: 0,
  active: FIRST_VERSION,
  beside: null,
  rebuild: null,
  ended: null,
  last: FIRST_VERSION,
  dropping: [],
};

/** @throws DocumentsUnavailable, MixedVersions */
export async function readActiveVersion(documents: Documents): Promise<ActiveVersion> {
  const stored = await documents.get(ACTIVE_VERSION, KEY);
  if (stored === null) return FIRST_ACTIVE_VERSION;
  return 'live' in stored ? ofFormerShape(stored as unknown as FormerShape) : stored;
}

/**
 * @returns the changed one; null if another process has changed it since it was read
 * @throws DocumentsUnavailable (it may then have been changed)
 */
export async function changeActiveVersion(
  documents: Documents,
  from: ActiveVersion,
  change: VersionChange,
): Promise<ActiveVersion | null> {
  const next = { ...from, ...change, revision: from.revision + 1 };
  const changed =
    from.revision > 0
      ? await documents.replace(ACTIVE_VERSION, next, from.revision)
      : await insertIfAbsent(documents, ACTIVE_VERSION, next);
  return changed ? next : null;
}

/** The snapshots of its own that a version is built with; once it is active, it uses those of all versions. */
export function ownSnapshotsOf(version: number): SnapshotCollections {
  return snapshotCollections(`_g${version}`);
}

/** Every collection of a version, the snapshots that it is built with included. */
export function everyCollectionOf(version: number): readonly Collection<Document>[] {
  return [...collectionsOf(readModelsOf(version)), ...Object.values(ownSnapshotsOf(version))];
}

export function namesOf(collections: readonly Collection<Document>[]): readonly string[] {
  return collections.map(({ name }) => name);
}

/** An earlier checkout left read models that this one cannot serve. */
export class MixedVersions extends Error {
  override readonly name = 'MixedVersions';

  constructor() {
    super(
      'An earlier version left a running rebuild, or rebuilt one read model alone. Start that version, end the rebuild or run `ledger projections rebuild`, and try again.',
    );
  }
}

/** As checkouts before 2026-11-28 stored it, when each collection had a number of its own. */
interface FormerShape extends Document {
  readonly live: Readonly<Record<string, number>>;
  readonly rebuild: object | null;
  readonly ended?: EndedRebuild | null;
  readonly previous: { readonly generations: Readonly<Record<string, number>> } | null;
  readonly inspected: { readonly generations: Readonly<Record<string, number>> } | null;
  readonly last: number;
  readonly dropping: readonly string[];
}

function ofFormerShape(stored: FormerShape): ActiveVersion {
  const { key, revision, live, rebuild, ended = null, previous, inspected, last, dropping } = stored;
  const numbersOf = (...sets: readonly (Readonly<Record<string, number>> | undefined)[]) =>
    new Set(sets.flatMap(set => Object.values(set ?? {})));
  const [active, ...others] = numbersOf(live);
  if (active === undefined || others.length > 0 || rebuild !== null) throw new MixedVersions();
  const kept = numbersOf(previous?.generations, inspected?.generations);
  kept.delete(active);
  const left = [...dropping, ...[...kept].flatMap(version => namesOf(collectionsOf(readModelsOf(version))))];
  return { key, revision, active, beside: null, rebuild: null, ended, last, dropping: left };
}

/** Households that could not be written in the version that is built: it must not become active before they are. */
export const BESIDE_FAILURES = derived<Document>('read_model_failures');

/** Notes that a household could not be written in the version that is built. @throws DocumentsUnavailable */
export async function noteBesideFailure(documents: Documents, householdId: string): Promise<void> {
  const before = await documents.get(BESIDE_FAILURES, householdId);
  // Clocks differ and go back: this failure must not look like an earlier one that was already handled.
  const revision = Math.max(Date.now(), (before?.revision ?? 0) + 1);
  await documents.put(BESIDE_FAILURES, [{ key: householdId, revision }]);
}

/** Shows that a process is alive. Renewed each time it looks at the active version. */
export interface Heartbeat extends Document {
  /** Unique to the process. */
  readonly key: string;
  /** The revision of the `ActiveVersion` that it acts by; -1 before it was read. */
  readonly actsBy: number;
}

/** A process whose heartbeat stood still for this long, by the watcher's own clock, is no longer waited for. */
export const HEARTBEAT_LAPSES_MS = 15_000;

/** The most processes that act on one set of stores. */
const PROCESSES_MAX = 10_000;

export const HEARTBEATS = derived<Heartbeat>('read_model_presences');

/**
 * The living processes that act by an older revision: those whose heartbeats move. Heartbeats that lapsed are removed.
 * @param standing of `HEARTBEAT_LAPSES_MS`, the same one at each call
 * @throws DocumentsUnavailable
 */
export async function processesBehind(
  documents: Documents,
  revision: number,
  standing: StandingDocuments,
): Promise<readonly string[]> {
  const found = await documents.range(HEARTBEATS, { ...EVERY_KEY, limit: PROCESSES_MAX });
  const older = found.filter(heartbeat => heartbeat.actsBy < revision);
  const stale = standing.stale(older);
  for (const { key, revision: beat } of stale) await documents.remove(HEARTBEATS, key, beat);
  return older.filter(heartbeat => !stale.has(heartbeat)).map(({ key }) => key);
}
