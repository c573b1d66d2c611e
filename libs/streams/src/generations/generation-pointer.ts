import type { Collection, Document, Documents } from '#documents/documents';
import { insertIfAbsent } from '#documents/insert-if-absent';
import { FIRST_GENERATION, generationsOf, type Generations, type ReadModelName } from '../read-models.js';

/** A set of read models that is written beside the live one, each command's changes before its answer. */
export interface WrittenBeside {
  readonly generations: Generations;
  /** The only collections of the set that are written; null for all. */
  readonly written: readonly ReadModelName[] | null;
  /** Names the snapshots of its own that it is made with; null for those of the live set. */
  readonly snapshots: number | null;
  /**
   * Whether the set reflects every event but the very latest: then each command brings its household up to date
   * there. Before, only households that the replay has come close to are, and the replay comes to the others.
   */
  readonly complete: boolean;
  /** The only household that is written; null for all. */
  readonly household: string | null;
}

export type RebuildPhase =
  /** Events are applied from the beginning. */
  | 'replaying'
  /** Every process is being waited for to write the new set too; then the rest of the events is applied. */
  | 'joining'
  /** The new set is compared with a fold of the events. */
  | 'verifying'
  /** The new set is live; every process is being waited for to read it. */
  | 'settling'
  /** One household: it is read from the new set, and the live one is mended meanwhile. */
  | 'mending'
  /** One household: every process is being waited for to read the mended set. */
  | 'returning';

/** A rebuild or a roll-back under way, as far as it must be known to go on with it. */
export interface RebuildState {
  /** Unique to this rebuild. */
  readonly id: string;
  readonly kind: 'rebuild' | 'roll-back';
  readonly phase: RebuildPhase;
  /** What is asked for; null for everything. */
  readonly projection: string | null;
  readonly household: string | null;
  /** A moment (ISO, UTC): the set is made as of then, for inspection, and never becomes live. */
  readonly to: string | null;
  /** The set that is built. */
  readonly builds: Generations;
  /** The set that becomes live. */
  readonly becomes: Generations;
  /** Where the replay begins (exclusive); null for the beginning. */
  readonly after: string | null;
  /** Everything up to here is surely in the set that was live: where a roll-back to it would begin. */
  readonly reflected: string | null;
}

/** A set that was live before, kept as it was when the one that is live took its place. */
export interface FormerModels {
  readonly generations: Generations;
  /** It reflects every event up to here; null for none. */
  readonly position: string | null;
  /** When it ceased to be live. */
  readonly since: string;
}

/** A set made as of a moment. */
interface InspectedModels {
  readonly generations: Generations;
  readonly to: string;
  readonly household: string | null;
}

/** How a rebuild or a roll-back ended. */
export interface EndedRebuild {
  readonly id: string;
  /** Why it was given up, in one sentence; null where it was carried out. */
  readonly failure: string | null;
}

/** Which read models are live, and which are written besides. There is one; every process acts by it. */
export interface GenerationPointer extends Document {
  readonly live: Generations;
  readonly beside: WrittenBeside | null;
  /** One household that is read from, and written to, another set than all others. */
  readonly diverted: { readonly household: string; readonly generations: Generations } | null;
  readonly rebuild: RebuildState | null;
  /**
   * The last one that ended. It is told here, in the change that ends it, because whoever worked on it may be gone
   * before its progress tells; absent where no version that tells it has ended one.
   */
  readonly ended?: EndedRebuild | null;
  readonly previous: FormerModels | null;
  readonly inspected: InspectedModels | null;
  /** The highest number that a generation ever had. */
  readonly last: number;
  /** Collections that nobody reads or writes any more, until they are dropped. */
  readonly dropping: readonly string[];
}

/** A change of it: the fields that get another value. */
export type PointerChange = Partial<Omit<GenerationPointer, 'key' | 'revision'>>;

const POINTER_KEY = 'pointer';

export const GENERATION_POINTER: Collection<GenerationPointer> = {
  name: 'read_model_pointer',
  durability: 'derived',
  indexes: [],
};

/** As long as nothing was ever rebuilt. */
export const FIRST_POINTER: GenerationPointer = {
  key: POINTER_KEY,
  revision: 0,
  live: generationsOf(FIRST_GENERATION),
  beside: null,
  diverted: null,
  rebuild: null,
  previous: null,
  inspected: null,
  last: FIRST_GENERATION,
  dropping: [],
};

/** @throws DocumentsUnavailable */
export async function readPointer(documents: Documents): Promise<GenerationPointer> {
  return (await documents.get(GENERATION_POINTER, POINTER_KEY)) ?? FIRST_POINTER;
}

/**
 * Changes the pointer, if it is still as it was read.
 * @returns the pointer as it is now; null when another process had changed it
 * @throws DocumentsUnavailable (it may then have been changed)
 */
export async function changePointer(
  documents: Documents,
  from: GenerationPointer,
  change: PointerChange,
): Promise<GenerationPointer | null> {
  const next = { ...from, ...change, revision: from.revision + 1 };
  const changed =
    from.revision > 0
      ? await documents.replace(GENERATION_POINTER, next, from.revision)
      : await insertIfAbsent(documents, GENERATION_POINTER, next);
  return changed ? next : null;
}
