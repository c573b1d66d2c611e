import { ulid } from 'ulid';
import { snapshotsOf } from '#streams/generations/generation-watch';
import {
  collectionsOnlyIn,
  generationsOf,
  type DocumentName,
  type Generations,
  type ReadModelName,
} from '#streams/read-models';
import type {
  GenerationPointer,
  PointerChange,
  RebuildState,
  WrittenBeside,
} from '#streams/generations/generation-pointer';

/** What an operator asks for. */
export interface RebuildRequest {
  /** One of `PROJECTION_NAMES`; null for all. */
  readonly projection: string | null;
  readonly household: string | null;
  /** ISO timestamp, UTC. */
  readonly to: string | null;
}

/** It cannot be done now; one sentence for the operator. */
export class RebuildRefused extends Error {
  override readonly name = 'RebuildRefused';
}

/** What operators call the read models, and the collections that belong to each. */
const PROJECTIONS: Readonly<Record<string, readonly DocumentName[]>> = {
  months: ['months'],
  identities: ['identities'],
  'untracked-counts': ['untrackedCounts'],
  'fund-balances': ['fundBalances'],
  transactions: ['transactions', 'transactionChanges'],
  merchants: ['merchants'],
};

export const PROJECTION_NAMES: readonly string[] = Object.keys(PROJECTIONS);

/** The collections that a rebuild replaces; null for all. */
export function replacedBy({ projection }: Pick<RebuildState, 'projection'>): readonly DocumentName[] | null {
  return projection === null ? null : PROJECTIONS[projection]!;
}

/**
 * What is written while it is built: transactions are folded from their own documents, so that these are always
 * made anew too.
 */
export function writtenBy(state: Pick<RebuildState, 'projection' | 'kind'>): readonly ReadModelName[] | null {
  const replaced = replacedBy(state);
  if (replaced === null || state.kind === 'roll-back') return null;
  return [...new Set<ReadModelName>(['heads', 'transactions', 'transactionChanges', ...replaced])];
}

/** The snapshots that only this rebuild uses; a roll-back has none. */
export function ownSnapshots({ kind, builds }: RebuildState): ReturnType<typeof snapshotsOf> {
  return snapshotsOf({ snapshots: kind === 'rebuild' ? builds.heads : null });
}

/** The collections that hold them. */
export function snapshotNames(state: RebuildState): readonly string[] {
  return Object.values(ownSnapshots(state) ?? {}).map(({ name }) => name);
}

/** How the pointer announces a rebuild. @throws RebuildRefused */
export function announcedRebuild(pointer: GenerationPointer, request: RebuildRequest): PointerChange {
  const { projection, household, to } = request;
  if (projection !== null && !PROJECTION_NAMES.includes(projection)) {
    throw new RebuildRefused(
      `Unknown projection ${projection}. The projections are ${PROJECTION_NAMES.join(', ')}.`,
    );
  }
  if (to !== null && projection !== null) {
    throw new RebuildRefused('A rebuild as of a time builds all projections. Leave out the projection.');
  }
  if (household !== null && projection !== null) {
    throw new RebuildRefused(
      'A rebuild of a household rebuilds all its projections. Leave out the projection.',
    );
  }
  refuseSecond(pointer);
  const generation = pointer.last + 1;
  const builds = buildsOf(pointer.live, generation, projection);
  const becomes = projection === null ? builds : mixedSet(pointer.live, builds, projection);
  const state: RebuildState = {
    id: ulid(),
    kind: 'rebuild',
    phase: 'replaying',
    projection,
    household,
    to,
    builds,
    becomes: household !== null || to !== null ? pointer.live : becomes,
    after: null,
    reflected: null,
  };
  const beside: WrittenBeside = {
    generations: builds,
    written: writtenBy(state),
    snapshots: generation,
    complete: false,
    household,
  };
  // There is one set to go back to, or one moment to look at: the next takes the place of the former.
  const replacesPrevious = household === null && to === null;
  return {
    last: Math.max(generation, becomes.heads),
    rebuild: state,
    beside: to === null ? beside : null,
    ...(replacesPrevious && { previous: null }),
    ...(to !== null && { inspected: null }),
    dropping: [
      ...pointer.dropping,
      ...(replacesPrevious && pointer.previous
        ? collectionsOnlyIn(pointer.previous.generations, pointer.live)
        : []),
      ...(to !== null && pointer.inspected
        ? collectionsOnlyIn(pointer.inspected.generations, pointer.live)
        : []),
    ],
  };
}

/** How the pointer announces the way back to the set that was live before. @throws RebuildRefused */
export function announcedRollBack(pointer: GenerationPointer): PointerChange {
  refuseSecond(pointer);
  const { previous, live } = pointer;
  if (!previous) throw new RebuildRefused('There are no previous read models to switch back to.');
  const generation = pointer.last + 1;
  // What the heads of the live set say does not hold for what it does not share with the former one.
  const builds =
    previous.generations.heads === live.heads
      ? { ...previous.generations, heads: generation }
      : previous.generations;
  const state: RebuildState = {
    id: ulid(),
    kind: 'roll-back',
    phase: 'replaying',
    projection: null,
    household: null,
    to: null,
    builds,
    becomes: previous.generations,
    after: previous.position,
    reflected: null,
  };
  const beside = {
    generations: builds,
    written: null,
    snapshots: null,
    complete: false,
    household: null,
  };
  return { last: generation, rebuild: state, beside };
}

/**
 * Takes back what was announced: nothing is written beside the live set any more, and what was built is dropped.
 * @param failure why, in one sentence
 * @throws RebuildRefused where the new read models are live already
 */
export function givenUp(pointer: GenerationPointer, failure: string): PointerChange {
  const { rebuild, live, previous } = pointer;
  if (!rebuild) throw new RebuildRefused('No rebuild is running.');
  if (!['replaying', 'joining', 'verifying'].includes(rebuild.phase)) {
    throw new RebuildRefused(
      'The new read models are already live. Wait until the rebuild ends, then roll back.',
    );
  }
  const kept = previous ? collectionsOnlyIn(previous.generations, live) : [];
  const made = [rebuild.builds, rebuild.becomes].flatMap(set => collectionsOnlyIn(set, live));
  const dropped = new Set(made.filter(name => !kept.includes(name)));
  const dropping = [...pointer.dropping, ...dropped, ...snapshotNames(rebuild)];
  return { beside: null, rebuild: null, ended: { id: rebuild.id, failure }, dropping };
}

function refuseSecond({ rebuild }: GenerationPointer): void {
  if (!rebuild) return;
  const what = rebuild.kind === 'roll-back' ? 'A roll-back' : 'Another rebuild';
  throw new RebuildRefused(
    `${what} is running. Wait until it ends, or cancel it with \`ledger projections give-up\`.`,
  );
}

function buildsOf(live: Generations, generation: number, projection: string | null): Generations {
  const names = writtenBy({ projection, kind: 'rebuild' });
  if (names === null) return generationsOf(generation);
  return { ...live, ...Object.fromEntries(names.map(name => [name, generation])) };
}

/**
 * What becomes live when one projection was rebuilt: its new collections beside those of the others that were live, and
 * heads of its own. Those of the live set, and of the built one, go on being written for their sets while the one takes
 * the place of the other, and say nothing of this one.
 */
function mixedSet(live: Generations, builds: Generations, projection: string): Generations {
  const replaced = Object.fromEntries(replacedBy({ projection })!.map(name => [name, builds[name]]));
  return { ...live, ...replaced, heads: builds.heads + 1 };
}

/** Whether a rebuild under way is what is asked for. */
export function isAskedFor(state: RebuildState, { projection, household, to }: RebuildRequest): boolean {
  return (
    state.kind === 'rebuild' &&
    state.projection === projection &&
    state.household === household &&
    state.to === to
  );
}
