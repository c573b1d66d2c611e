import {
  DamagedDocument,
  type Collection,
  type Document,
  type Documents,
} from '#storage/documents/documents';
import type { RecordedEvent } from '#storage/event-store/event-store';
import type { Ulid } from '#ledger/values';
import { evolve, type RecordedLedgerEvent } from '#ledger/events';
import {
  type Budget,
  type FundBalance,
  type GroupIdentity,
  type Household,
  type ItemIdentity,
  type LaidItem,
  type MonthState,
} from '#ledger/household';
import { paddedRevision } from '#projections/household-documents';
import { type StreamEnd, endAt } from './household-stream.js';
import { derived } from './read-models.js';

/**
 * Raised whenever the shape of the state or the meaning of its fold changes: snapshots of another version are
 * never read, and the state is folded from the events again.
 */
export const STATE_VERSION = 6;

/** A snapshot is made each time this many events came since the last one; so a load folds fewer than these. */
export const SNAPSHOT_EVERY_EVENTS = 1_000;

/** Names the parts that make up a state. Written after its parts, so what it names is there. */
interface ManifestDocument extends Document {
  /** `HOUSEHOLD|REVISION`, padded. */
  readonly key: string;
  readonly end: StreamEnd | null;
  readonly identities: number;
  /** Each month with the revision of the snapshot that holds its part. */
  readonly months: readonly (readonly [month: string, part: number])[];
  readonly untracked: Household['untracked'];
  readonly greatestTransactionId: Ulid;
}

interface IdentitiesPart {
  readonly groups: readonly GroupIdentity[];
  readonly items: readonly ItemIdentity[];
  readonly favorites: readonly Ulid[];
  readonly identitiesRevision: number;
  readonly fundBalances: readonly (readonly [Ulid, FundBalance])[];
}

interface MonthPart {
  readonly month: string;
  readonly live: number;
  readonly budget:
    (Omit<Budget, 'items'> & { readonly items: readonly (readonly [Ulid, LaidItem])[] }) | null;
}

/** Never changed: `HOUSEHOLD|i|REVISION` or `HOUSEHOLD|YYYY-MM|REVISION`. */
interface PartDocument extends Document {
  readonly part: IdentitiesPart | MonthPart;
}

interface Snapshot {
  readonly household: Household;
  /** The event at the state's revision. */
  readonly end: StreamEnd | null;
  readonly parts: SnapshotParts;
}

/** Which snapshot holds which part, and the state it was made of: only what changed since is written again. */
export interface SnapshotParts {
  readonly household: Household;
  readonly identities: number;
  readonly months: ReadonlyMap<string, number>;
}

export interface SnapshotCollections {
  readonly manifests: Collection<ManifestDocument>;
  readonly parts: Collection<PartDocument>;
}

/**
 * States of households, in parts: a snapshot writes only the months that changed since the one before it and names the
 * others. Older snapshots stay, so that a past state costs no more than a present one.
 */
export class Snapshots {
  static readonly shared: SnapshotCollections = snapshotCollections('');
  static readonly collections: readonly Collection<Document>[] = Object.values(Snapshots.shared);

  constructor(
    private readonly documents: Documents,
    /** Where they are kept: a rebuild keeps its own, so that nothing that was computed earlier gets into it. */
    private readonly kept: SnapshotCollections = Snapshots.shared,
  ) {}

  /**
   * The latest snapshot up to a revision (inclusive), or null. One of which the medium changed a text is as good as
   * none: the events make it again.
   * @throws DocumentsUnavailable
   */
  async latest(householdId: string, revisionMax: number): Promise<Snapshot | null> {
    try {
      const [manifest] = await this.documents.range(this.kept.manifests, {
        from: `${householdId}|`,
        before: `${householdId}|${paddedRevision(revisionMax + 1)}`,
        order: 'descending',
        limit: 1,
      });
      return manifest ? await this.assemble(householdId, manifest) : null;
    } catch (error) {
      if (error instanceof DamagedDocument) return null;
      throw error;
    }
  }

  private async assemble(householdId: string, manifest: ManifestDocument): Promise<Snapshot | null> {
    const identitiesKey = partKey(householdId, 'i', manifest.identities);
    const keys = manifest.months.map(([month, part]) => partKey(householdId, month, part));
    const found = await this.documents.getMany(this.kept.parts, [identitiesKey, ...keys]);
    const parts = new Map(found.map(({ key, part }) => [key, part]));
    const identities = parts.get(identitiesKey) as IdentitiesPart | undefined;
    const months = keys.map(key => parts.get(key) as MonthPart | undefined);
    if (!identities || months.includes(undefined)) return null;
    const { revision, end, untracked, greatestTransactionId } = manifest;
    const household: Household = {
      revision,
      groups: new Map(identities.groups.map(group => [group.id, group])),
      items: new Map(identities.items.map(item => [item.id, item])),
      favorites: identities.favorites,
      identitiesRevision: identities.identitiesRevision,
      months: months.map(part => monthState(part!)),
      fundBalances: new Map(identities.fundBalances),
      untracked,
      greatestTransactionId,
    };
    return {
      household,
      end,
      parts: { household, identities: manifest.identities, months: new Map(manifest.months) },
    };
  }

  /** Writes the parts that changed since an earlier snapshot. @returns what the next one compares with. @throws DocumentsUnavailable */
  async save(
    householdId: string,
    household: Household,
    end: StreamEnd | null,
    since: SnapshotParts | null,
  ): Promise<SnapshotParts> {
    const { revision } = household;
    const written: PartDocument[] = [];
    const write = (name: string, part: PartDocument['part']): number => {
      written.push({ key: partKey(householdId, name, revision), revision, part });
      return revision;
    };
    const identities =
      since && sameIdentities(since.household, household)
        ? since.identities
        : write('i', identitiesPart(household));
    const before = new Map(since?.household.months.map(state => [state.month, state]));
    const months = household.months.map(state => {
      const kept = before.get(state.month) === state ? since!.months.get(state.month) : undefined;
      return [state.month, kept ?? write(state.month, monthPart(state))] as const;
    });
    await this.documents.put(this.kept.parts, written);
    const key = `${householdId}|${paddedRevision(revision)}`;
    const { untracked, greatestTransactionId } = household;
    const manifest = { key, revision, end, identities, months, untracked, greatestTransactionId };
    await this.documents.put(this.kept.manifests, [manifest]);
    return { household, identities, months: new Map(months) };
  }
}

/** Removes the snapshots that earlier versions of the state left: nothing reads them. @throws DocumentsUnavailable */
export async function dropFormerSnapshots(documents: Documents): Promise<void> {
  for (let version = 1; version < STATE_VERSION; version += 1) {
    const { manifests, parts } = snapshotCollections('', version);
    // The parts last: what a manifest names is there.
    for (const { name } of [manifests, parts]) await documents.drop(name);
  }
}

/** @param suffix tells the collections from others of their kind */
export function snapshotCollections(suffix: string, version = STATE_VERSION): SnapshotCollections {
  const form = `_v${version}${suffix}`;
  return { manifests: derived(`snapshots${form}`), parts: derived(`snapshot_parts${form}`) };
}

function partKey(householdId: string, name: string, revision: number): string {
  return `${householdId}|${name}|${paddedRevision(revision)}`;
}

const IDENTITIES = ['groups', 'items', 'favorites', 'fundBalances'] as const;

function sameIdentities(a: Household, b: Household): boolean {
  return IDENTITIES.every(name => a[name] === b[name]);
}

function identitiesPart(household: Household): IdentitiesPart {
  const { groups, items, favorites, identitiesRevision, fundBalances } = household;
  return {
    groups: [...groups.values()],
    items: [...items.values()],
    favorites,
    identitiesRevision,
    fundBalances: [...fundBalances],
  };
}

function monthPart({ budget, ...rest }: MonthState): MonthPart {
  return { ...rest, budget: budget && { ...budget, items: [...budget.items] } };
}

function monthState({ budget, ...rest }: MonthPart): MonthState {
  return { ...rest, budget: budget && { ...budget, items: new Map(budget.items) } };
}

/** A household after some of its events. */
export interface StateAlong {
  readonly household: Household;
  /** The last of these events. */
  readonly end: StreamEnd;
}

/** The states along a run of events as often as snapshots are due, and the last one. @param recorded the same events */
export function statesAlong(
  household: Household,
  events: readonly RecordedLedgerEvent[],
  recorded: readonly RecordedEvent[],
): readonly StateAlong[] {
  const states: StateAlong[] = [];
  for (let from = 0; from < events.length; from += SNAPSHOT_EVERY_EVENTS) {
    const before = Math.min(from + SNAPSHOT_EVERY_EVENTS, events.length);
    const folded = evolve(states.at(-1)?.household ?? household, events.slice(from, before));
    states.push({ household: folded, end: endAt(recorded[before - 1]!) });
  }
  return states;
}
