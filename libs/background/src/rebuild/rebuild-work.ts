import type { Documents } from '#documents/documents';
import {
  changePointer,
  readPointer,
  type GenerationPointer,
  type PointerChange,
} from '#streams/generations/generation-pointer';
import { BESIDE_FAILURES } from '#streams/generations/beside-failures';
import { collectionsOnlyIn } from '#streams/read-models';
import { Rebuild, type RebuildWorkplace } from './rebuild.js';
import {
  ProgressWatch,
  readProgress,
  RebuildLease,
  RebuildTakenOver,
  type RebuildProgress,
  type RebuildWork,
} from './rebuild-lease.js';
import {
  announcedRebuild,
  announcedRollBack,
  givenUp,
  isAskedFor,
  RebuildRefused,
  type RebuildRequest,
} from './rebuild-request.js';
import { isStoreDown, loggedOf, sentenceOf } from '#streams/store-failures';

/** What an operator tells the projections to do. */
export type RebuildCommand =
  | ({ readonly command: 'rebuild' } & RebuildRequest)
  /** Back to the read models that were live before. */
  | { readonly command: 'roll-back' }
  /** The former read models, and those of a moment, are not needed any more. */
  | { readonly command: 'drop' }
  /** What is under way is given up. */
  | { readonly command: 'give-up' };

/** How often a command is tried at most, since others change the pointer from time to time. */
const CHANGES_MAX = 10;

/**
 * Writes down what is to be done; `workOff` does it. The same command again, while its work is under way or was
 * interrupted, goes on with that.
 * @returns the id under which the progress is told
 * @throws RebuildRefused with one sentence, DocumentsUnavailable
 */
export async function announce(documents: Documents, command: RebuildCommand): Promise<string> {
  for (let attempt = 0; attempt < CHANGES_MAX; attempt++) {
    const pointer = await readPointer(documents);
    const { rebuild, previous, inspected, live } = pointer;
    if (rebuild && command.command === 'rebuild' && isAskedFor(rebuild, command)) return rebuild.id;
    if (rebuild?.kind === 'roll-back' && command.command === 'roll-back') return rebuild.id;
    let change: PointerChange;
    switch (command.command) {
      case 'rebuild':
        change = announcedRebuild(pointer, command);
        break;
      case 'roll-back':
        change = announcedRollBack(pointer);
        break;
      case 'give-up':
        change = givenUp(pointer, 'It was cancelled.');
        break;
      case 'drop': {
        if (rebuild)
          throw new RebuildRefused(
            'A rebuild is running. Wait until it ends, or cancel it with `ledger projections give-up`.',
          );
        const former = [previous, inspected].flatMap(set =>
          set ? collectionsOnlyIn(set.generations, live) : [],
        );
        change = { previous: null, inspected: null, dropping: [...pointer.dropping, ...former] };
        break;
      }
      default:
        throw new RebuildRefused('This server does not know that command.');
    }
    if (change.rebuild) await documents.removePrefix(BESIDE_FAILURES, '');
    const changed = await changePointer(documents, pointer, change);
    if (changed) return changed.rebuild?.id ?? `pointer-${changed.revision}`;
  }
  throw new RebuildRefused('Another process changed the read models at the same time. Try again.');
}

export type WorkOutcome =
  /** There was nothing to do. */
  | { readonly kind: 'nothing' }
  /** Another process is at work. */
  | { readonly kind: 'held' }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly message: string };

interface WorkOptions {
  /** Unique to this process. */
  readonly owner: string;
  readonly watch: ProgressWatch;
  readonly signal: AbortSignal;
  /** Whether to go on with what failed before; a person asks for that. */
  readonly retryFailed: boolean;
}

/**
 * Carries out the announced work unless another process holds it.
 * @throws EventStoreUnavailable, DocumentsUnavailable, RebuildTakenOver, an abort: to be called again later
 */
export async function workOff(place: RebuildWorkplace, options: WorkOptions): Promise<WorkOutcome> {
  const { documents } = place;
  const pointer = await readPointer(documents);
  if (!pointer.rebuild && pointer.dropping.length === 0) return { kind: 'nothing' };
  const former = await readProgress(documents);
  if (former?.owner !== options.owner && options.watch.isHeld(former)) return { kind: 'held' };
  const work = workOf(pointer, former);
  if (former?.id === work.id && former.state === 'failed' && !options.retryFailed) return { kind: 'nothing' };
  const lease = await RebuildLease.take(documents, former, work, options.owner);
  if (!lease) return { kind: 'held' };
  try {
    const failure = await new Rebuild(place, lease, options.signal).run();
    if (failure !== null) return await failed(place, lease, failure);
    await lease.end('done', null);
    return { kind: 'done' };
  } catch (error) {
    if (isToBeGoneOnWith(error) || options.signal.aborted) {
      await lease.stop();
      throw error;
    }
    return failed(place, lease, sentenceOf(error), loggedOf(error));
  }
}

async function failed(
  { log }: RebuildWorkplace,
  lease: RebuildLease,
  message: string,
  logged = message,
): Promise<WorkOutcome> {
  await lease.end('failed', message);
  log.error('read models could not be replaced', { error: logged });
  return { kind: 'failed', message };
}

/** A rebuild, or a drop; what an ended rebuild left to drop goes on under its id while its progress says that it runs. */
function workOf(
  { rebuild, ended, revision }: GenerationPointer,
  former: RebuildProgress | null,
): RebuildWork {
  if (rebuild) return rebuild;
  if (former?.state === 'running' && former.id === ended?.id) return former;
  return { id: `pointer-${revision}`, kind: 'drop', phase: 'settling' };
}

function isToBeGoneOnWith(error: unknown): boolean {
  return error instanceof RebuildTakenOver || isStoreDown(error);
}
