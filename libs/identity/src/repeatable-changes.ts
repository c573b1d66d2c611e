import { Injectable } from '@nestjs/common';
import { isUnavailable } from '#concurrency/unavailable';
import { Clock } from '#concurrency/clock';
import { Documents, type Collection, type Document } from '#storage/documents/documents';
import {
  CHANGED_NOTHING,
  IDEMPOTENCY_KEY_MS,
  IdempotencyKeys,
  type KeyedCommand,
  type Settlement,
} from '#storage/documents/idempotency-keys';
import { ApiError, type ErrorCode } from '#http/api-error';
import { hashOfCommand } from '#http/repeatable-write';
import { RecordChanges } from './record-changes.js';

/** A write that its client may repeat by the `Idempotency-Key`, if it has one. */
export interface KeyedCall {
  readonly userId: string;
  readonly key: string | undefined;
}

/**
 * @param command its name and what it asks for, without anything drawn for it
 * @returns null if the client sent no key: then the command is not repeatable
 */
export function keyedCommand(
  { userId, key: clientKey }: KeyedCall,
  command: { readonly command: string; readonly [part: string]: string | object },
): KeyedCommand | null {
  return clientKey === undefined ? null : { userId, clientKey, commandHash: hashOfCommand(command) };
}

/** A command that was carried out under a key. */
export interface AppliedCommand extends KeyedCommand, Pick<Settlement, 'made' | 'finished'> {
  /** From then on the key is free again; milliseconds since the epoch. */
  readonly endsAt: number;
}

/** A record that remembers the latest command that changed it under a key. */
export interface RepeatableRecord extends Document {
  readonly appliedCommand?: AppliedCommand;
}

/** What becomes of a record; nothing where `next` is absent. */
interface RepeatableChange<T> {
  readonly next?: T;
  /** The id of what the command makes; something then follows that `finish` will confirm. */
  readonly made?: string;
}

/** A record after a command, and what was known of the command before. */
export interface Outcome<T> {
  readonly record: T;
  readonly changed: boolean;
  /** The command that its key repeats, or that was carried out now under it; null without a key. */
  readonly applied: AppliedCommand | null;
  /** Whether it had been carried out before, so that nothing was changed now. */
  readonly replayed: boolean;
}

/**
 * Changes of records that a client may repeat by its `Idempotency-Key`, which the one conditional update of the change
 * names. A record holds its latest keyed command, and the one before is settled first: who reads the record and then the
 * keys finds every command that the record reflects.
 */
@Injectable()
export class RepeatableChanges {
  private readonly keys: IdempotencyKeys;

  constructor(
    documents: Documents,
    private readonly changes: RecordChanges,
    private readonly clock: Clock,
  ) {
    this.keys = new IdempotencyKeys(documents, () => clock.now());
  }

  /**
   * @param decide called again after a lost race, and not for a command that was carried out before
   * @param missing the error code if the record does not exist
   * @throws IdempotencyConflict if the key was used for another command, and as `RecordChanges`
   */
  async change<T extends RepeatableRecord>(
    collection: Collection<T>,
    recordKey: string,
    command: KeyedCommand | null,
    missing: ErrorCode,
    decide: (current: T) => RepeatableChange<T> | Promise<RepeatableChange<T>>,
  ): Promise<Outcome<T>> {
    let isReserved = false;
    try {
      const outcome = await this.changes.change<T, Outcome<T>>(collection, recordKey, async current => {
        if (current === null) throw new ApiError(missing);
        if (command !== null) {
          const known = await this.known(current, command);
          if (known) return { result: { record: current, changed: false, applied: known, replayed: true } };
          isReserved = true;
        }
        const { next, made = null } = await decide(current);
        const applied = command && this.applied(command, { made, finished: made === null });
        if (next === undefined) {
          return { result: { record: current, changed: false, applied, replayed: false } };
        }
        if (applied) await this.settleLatest(current);
        const record = applied ? { ...next, appliedCommand: applied } : next;
        return { next: record, result: { record, changed: true, applied, replayed: false } };
      });
      if (outcome.applied && !outcome.replayed) await this.settle(recordKey, outcome.applied);
      return outcome;
    } catch (error) {
      // It expires by itself, if the store is away now.
      if (command !== null && isReserved && !isUnavailable(error)) {
        await this.keys.release(recordKey, command).catch(() => undefined);
      }
      throw error;
    }
  }

  /**
   * Does what follows a change, unless it was done before, and confirms it. Simultaneous calls under one key wait for each
   * other, so that it is done once.
   * @param applied null without a key: then it is always done
   * @throws DocumentsUnavailable, and whatever `following` throws
   */
  async finish(
    recordKey: string,
    applied: AppliedCommand | null,
    following: () => Promise<void>,
  ): Promise<void> {
    if (applied === null) return following();
    if (applied.finished) return;
    const { userId, clientKey } = applied;
    await this.changes.inTurn(`finishing ${recordKey}|${userId}|${clientKey}`, async () => {
      const current = await this.keys.find(recordKey, applied);
      if (current?.finished === true && current.made === applied.made) return;
      await following();
      await this.settle(recordKey, { ...applied, finished: true });
    });
  }

  /** What became of the command. If that is unknown, its key is reserved. */
  private async known(record: RepeatableRecord, command: KeyedCommand): Promise<AppliedCommand | null> {
    const { key, appliedCommand: latest } = record;
    const isLatest = latest?.userId === command.userId && latest.clientKey === command.clientKey;
    if (isLatest) await this.settleLatest(record);
    const settled = await this.keys.reserve(key, command);
    return settled && this.applied(command, settled);
  }

  private applied(
    command: KeyedCommand,
    { made, finished }: Pick<Settlement, 'made' | 'finished'>,
  ): AppliedCommand {
    return { ...command, made, finished, endsAt: this.clock.now() + IDEMPOTENCY_KEY_MS };
  }

  /** Settles the command that a record holds: its process may have died before. */
  private async settleLatest({ key, appliedCommand }: RepeatableRecord): Promise<void> {
    if (appliedCommand !== undefined) await this.settle(key, appliedCommand);
  }

  private async settle(recordKey: string, { endsAt, ...command }: AppliedCommand): Promise<void> {
    const at = endsAt - IDEMPOTENCY_KEY_MS;
    await this.keys.settle(recordKey, [{ ...CHANGED_NOTHING, ...command, at }]);
  }
}
