import { ulid } from 'ulid';
import type { Documents } from '#storage/documents/documents';
import { isStoreDown, loggedOf, sentenceOf } from '../households/store-failures.js';
import {
  changeActiveVersion,
  readActiveVersion,
  type ActiveVersion,
  type VersionChange,
  BESIDE_FAILURES,
  type RebuildState,
} from '../versions/active-version.js';
import {
  cancelled,
  readProgress,
  Rebuild,
  RebuildTakenOver,
  takeRebuild,
  type RebuildLease,
  type RebuildProgress,
  type RebuildWorkplace,
} from './rebuild.js';
import { StandingDocuments, TAKEN_OVER_MS } from '../households/standing-documents.js';
import { StandingTrouble, workUntilStopped } from '../projector/background-log.js';

/** What an operator can ask for: a rebuild, or that the running one is cancelled. */
export type RebuildCommand = 'rebuild' | 'give-up';

/** A command cannot be done now; the message is one sentence for the operator. */
export class RebuildRefused extends Error {
  override readonly name = 'RebuildRefused';
}

/** How often a command is tried at most, since others change the active version from time to time. */
const CHANGES_MAX = 10;

/**
 * Records what is to be done; `workOff` does it. A second `rebuild` joins the running one.
 * @returns the id under which the progress is reported
 * @throws RebuildRefused with one sentence, DocumentsUnavailable
 */
export async function announce(documents: Documents, command: RebuildCommand): Promise<string> {
  for (let attempt = 0; attempt < CHANGES_MAX; attempt++) {
    const version = await readActiveVersion(documents);
    if (command === 'rebuild' && version.rebuild) return version.rebuild.id;
    const change = changeOf(command, version);
    if (change.rebuild) await documents.removePrefix(BESIDE_FAILURES, '');
    const changed = await changeActiveVersion(documents, version, change);
    if (changed) return changed.rebuild?.id ?? dropId(changed);
  }
  throw new RebuildRefused('Another process changed the read models at the same time. Try again.');
}

/** @throws RebuildRefused */
function changeOf(command: RebuildCommand, version: ActiveVersion): VersionChange {
  switch (command) {
    case 'rebuild': {
      const last = version.last + 1;
      const rebuild = { id: ulid(), phase: 'replaying', version: last } as const;
      return { last, beside: { version: last, complete: false }, rebuild };
    }
    case 'give-up':
      if (!version.rebuild) throw new RebuildRefused('No rebuild is running.');
      if (version.rebuild.phase === 'settling') {
        throw new RebuildRefused('The new read models are already active.');
      }
      return cancelled(version, 'It was cancelled.');
    default:
      throw new RebuildRefused('This server does not know that command.');
  }
}

/** `held`: another process is at work. */
export type WorkOutcome = 'nothing' | 'held' | 'done' | 'failed';

interface WorkOptions {
  /** Unique to this process. */
  readonly owner: string;
  /** The same one at each call. */
  readonly standing: StandingDocuments;
  readonly signal: AbortSignal;
  /** Whether to go on with what failed before; a person asks for that. */
  readonly retryFailed: boolean;
}

/**
 * Carries out the announced work unless another process holds it.
 * @throws EventStoreUnavailable, DocumentsUnavailable, RebuildTakenOver, an abort: to be called again later
 */
export async function workOff(
  place: RebuildWorkplace,
  { owner, standing, signal, retryFailed }: WorkOptions,
): Promise<WorkOutcome> {
  const { documents } = place;
  const version = await readActiveVersion(documents);
  if (!version.rebuild && version.dropping.length === 0) return 'nothing';
  const former = await readProgress(documents);
  const isOthers = former?.state === 'running' && former.owner !== owner;
  if (isOthers && standing.stale([former]).size === 0) return 'held';
  const work = workOf(version, former);
  if (former?.id === work.id && former.state === 'failed' && !retryFailed) return 'nothing';
  const lease = await takeRebuild(documents, former, work, owner);
  if (!lease) return 'held';
  try {
    const failure = await new Rebuild(place, lease, signal).run();
    return await end(place, lease, failure);
  } catch (error) {
    if (error instanceof RebuildTakenOver || isStoreDown(error) || signal.aborted) {
      await lease.stop();
      throw error;
    }
    return end(place, lease, sentenceOf(error), loggedOf(error));
  }
}

/** @param failure why it failed, in one sentence; null where it did not */
async function end(
  { log }: RebuildWorkplace,
  lease: RebuildLease,
  failure: string | null,
  logged = failure,
): Promise<'done' | 'failed'> {
  const state = failure === null ? 'done' : 'failed';
  if (!(await lease.end({ state, message: failure }))) {
    throw new RebuildTakenOver('Another process is working on the rebuild.');
  }
  if (failure !== null) log.error({ error: logged }, 'read models could not be replaced');
  return state;
}

/** The rebuild, or what an ended one left to drop: under its id while its progress says that it runs. */
function workOf(version: ActiveVersion, former: RebuildProgress | null): RebuildState {
  const { rebuild, ended, active } = version;
  if (rebuild) return rebuild;
  if (former?.state === 'running' && former.id === ended?.id) return former;
  return { id: dropId(version), phase: 'settling', version: active };
}

function dropId({ revision }: ActiveVersion): string {
  return `drop-${revision}`;
}

/** How often a process that projects looks whether there is something to rebuild. */
const LOOK_MS = 1_000;

/** Takes up rebuilds in a process that projects: those asked for, and those that another process left unfinished. */
export class RebuildHost {
  private readonly stopping = new AbortController();
  private readonly standing = new StandingDocuments(TAKEN_OVER_MS);
  private running: Promise<unknown> | null = null;
  private retryFailed = false;

  constructor(
    private readonly place: RebuildWorkplace,
    /** Unique to this process. */
    private readonly owner: string,
  ) {}

  start(): void {
    const { signal } = this.stopping;
    const trouble = new StandingTrouble(this.place.log, 'rebuilds are waiting');
    const isTakenOver = (error: unknown): boolean => error instanceof RebuildTakenOver;
    this.running ??= workUntilStopped(signal, LOOK_MS, trouble, () => this.work(), isTakenOver);
  }

  /** As `announce`. */
  async take(command: RebuildCommand): Promise<string> {
    const accepted = await announce(this.place.documents, command);
    this.retryFailed = true;
    return accepted;
  }

  /** Stops after the current batch; another process can resume. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private work(): Promise<unknown> {
    const { owner, standing, retryFailed } = this;
    this.retryFailed = false;
    return workOff(this.place, { owner, standing, retryFailed, signal: this.stopping.signal });
  }
}
