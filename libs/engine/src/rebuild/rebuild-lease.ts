import type { Collection, Document, Documents } from '#storage/documents/documents';
import type { RebuildState } from '../versions/active-version.js';
import { HeldDocument } from '../households/standing-documents.js';

/** How far a rebuild is; the latest one stays after its end. */
export interface RebuildProgress extends Document {
  /** Of the rebuild. */
  readonly id: string;
  /** The process that works on it. */
  readonly owner: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly phase: RebuildState['phase'];
  /** The version that it builds. */
  readonly version: number;
  /** Events that were applied. */
  readonly events: number;
  /** How much of the work that is by estimate, from 0 to 1; null where nothing can be said. */
  readonly fraction: number | null;
  /** Households that were compared with their events. */
  readonly verified: number;
  /** One sentence: why it failed, or what it waits for. */
  readonly message: string | null;
  /** ISO timestamps, UTC. */
  readonly startedAt: string;
  readonly updatedAt: string;
}

/** Another process took the rebuild over, or may have. */
export class RebuildTakenOver extends Error {
  override readonly name = 'RebuildTakenOver';
}

const PROGRESS_KEY = 'rebuild';

export const REBUILD_PROGRESS: Collection<RebuildProgress> = {
  name: 'read_model_progress',
  durability: 'derived',
  indexes: [],
};

/** @throws DocumentsUnavailable */
export function readProgress(documents: Documents): Promise<RebuildProgress | null> {
  return documents.get(REBUILD_PROGRESS, PROGRESS_KEY);
}

/**
 * That this process works on the rebuild, and how far it is, in one document. What decides is the active version, changed
 * by conditional updates, and documents guarded by revision.
 */
export type RebuildLease = HeldDocument<RebuildProgress>;

/**
 * Takes over from the process that worked before.
 * @param former the progress as it was read
 * @returns null when another process was faster
 * @throws DocumentsUnavailable
 */
export async function takeRebuild(
  documents: Documents,
  former: RebuildProgress | null,
  { id, phase, version }: RebuildState,
  owner: string,
): Promise<RebuildLease | null> {
  const same = former?.id === id ? former : null;
  const now = (): string => new Date().toISOString();
  const progress: RebuildProgress = {
    key: PROGRESS_KEY,
    revision: (former?.revision ?? 0) + 1,
    id,
    owner,
    state: 'running',
    phase,
    version,
    events: same?.events ?? 0,
    fraction: same?.fraction ?? null,
    verified: same?.verified ?? 0,
    message: null,
    startedAt: same?.startedAt ?? now(),
    updatedAt: now(),
  };
  return HeldDocument.take(documents, REBUILD_PROGRESS, former, progress, () => ({ updatedAt: now() }));
}
