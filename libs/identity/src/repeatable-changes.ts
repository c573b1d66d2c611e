import { Injectable } from '@nestjs/common';
import { Documents, type Collection, type Document } from '#documents/documents';
import { ApiError } from '#http/api-error';
import { hashOfCommand, IDEMPOTENCY_KEY_MS } from '#http/repeatable-write';
import { RecordChanges } from './record-changes.js';
import { Clock } from './surroundings.js';

/** The key under which a user sent a command. */
interface UserKey {
  readonly userId: string;
  /** The key as the client sent it. */
  readonly clientKey: string;
}

/** A command that its client may repeat. */
export interface KeyedCommand extends UserKey {
  readonly commandHash: string;
}

/**
 * @param clientKey undefined where the client sent none: then the command is not repeatable
 * @param command what is asked for, with its name; nothing that is drawn for it
 */
export function keyedCommand(
  userId: string,
  clientKey: string | undefined,
  command: { readonly command: string; readonly [part: string]: string | object },
): KeyedCommand | null {
  return clientKey === undefined ? null : { userId, clientKey, commandHash: hashOfCommand(command) };
}

/** The keys of commands that are remembered elsewhere than in the records of identity. */
export abstract class KeysElsewhere {
  /** Whether a command in a household is remembered under a user's key. @throws DocumentsUnavailable */
  abstract remembers(householdId: string, userId: string, clientKey: string): Promise<boolean>;
}

/** A command that was carried out under a key. Times are milliseconds since the epoch. */
export interface AppliedCommand extends KeyedCommand {
  /** The id of what it made; null where it made nothing. */
  readonly made: string | null;
  /** Whether everything is done that follows the change of the record. */
  readonly finished: boolean;
  /** From then on the key is free again. */
  readonly endsAt: number;
}

/** A record that remembers the latest command that changed it under a key. */
export interface RepeatableRecord extends Document {
  readonly appliedCommand?: AppliedCommand;
}

/** The key is `RECORD|USER|KEY`; revision 1 as its record had it, 2 when everything is done. */
interface AppliedCommandDocument extends AppliedCommand, Document {}

export const APPLIED_COMMANDS: Collection<AppliedCommandDocument> = {
  name: 'applied_commands',
  durability: 'durable',
  indexes: [],
};

/** What becomes of a record; nothing where `next` is absent. */
interface RepeatableChange<T> {
  readonly next?: T;
  /** The id of what the command makes. */
  readonly made?: string;
  /** Whether something follows that `finish` will confirm. */
  readonly unfinished?: boolean;
}

/** A record as it is after a command, and what was known of the command before. */
export interface Outcome<T> {
  readonly record: T;
  readonly changed: boolean;
  /** The command that its key repeats, or that was carried out now under it; null without a key, or no change. */
  readonly applied: AppliedCommand | null;
  /** It had been carried out before: nothing was changed now. */
  readonly replayed: boolean;
}

/**
 * Changes of records that a client may repeat by its `Idempotency-Key`. The key is part of the one conditional
 * update that makes the change, so both happen or neither does. A record holds its latest keyed command; the one
 * before goes to a collection of its own first. So whoever reads the record and then the collection finds every
 * command that the record reflects.
 */
@Injectable()
export class RepeatableChanges {
  constructor(
    private readonly documents: Documents,
    private readonly changes: RecordChanges,
    private readonly clock: Clock,
  ) {}

  /**
   * @param decide called anew after a lost race, and not for a command that was carried out before
   * @param missing the refusal where there is no such record
   * @throws ApiError `idempotency_key_conflict` where the key was used for another command, and as `RecordChanges`
   */
  async change<T extends RepeatableRecord>(
    collection: Collection<T>,
    recordKey: string,
    command: KeyedCommand | null,
    missing: () => ApiError,
    decide: (current: T) => RepeatableChange<T> | Promise<RepeatableChange<T>>,
  ): Promise<Outcome<T>> {
    return this.changes.change<T, Outcome<T>>(collection, recordKey, async current => {
      if (current === null) throw missing();
      const known = command && (await this.find(current, command));
      if (known) return { result: { record: current, changed: false, applied: known, replayed: true } };
      const { next, made = null, unfinished = false } = await decide(current);
      if (next === undefined) {
        return { result: { record: current, changed: false, applied: null, replayed: false } };
      }
      if (command === null) {
        return { next, result: { record: next, changed: true, applied: null, replayed: false } };
      }
      await this.keep(current);
      const endsAt = this.clock.now() + IDEMPOTENCY_KEY_MS;
      const appliedCommand: AppliedCommand = { ...command, made, finished: !unfinished, endsAt };
      const record = { ...next, appliedCommand };
      return { next: record, result: { record, changed: true, applied: appliedCommand, replayed: false } };
    });
  }

  /** Whether a command that changed the record is remembered under the user's key. @throws DocumentsUnavailable */
  async remembers(record: RepeatableRecord, userKey: UserKey): Promise<boolean> {
    return (await this.known(record, userKey)) !== null;
  }

  /**
   * Does what follows a change, if it is not done yet, and confirms that it is. Calls under one key at the same time
   * come one after the other, so that it is done once.
   * @param applied null without a key: then it is done in any case
   * @throws DocumentsUnavailable, and whatever `following` throws
   */
  async finish(
    recordKey: string,
    applied: AppliedCommand | null,
    following: () => Promise<void>,
  ): Promise<void> {
    if (applied === null) return following();
    if (applied.finished) return;
    const key = keyOf(recordKey, applied);
    await this.changes.inTurn(`finishing ${key}`, async () => {
      const current = await this.documents.get(APPLIED_COMMANDS, key);
      if (current?.finished === true && current.made === applied.made) return;
      await following();
      // Whatever was put away meanwhile, unfinished as its record has it: this is the greater revision.
      await this.documents.put(APPLIED_COMMANDS, [document(recordKey, { ...applied, finished: true })]);
    });
  }

  private async find(record: RepeatableRecord, command: KeyedCommand): Promise<AppliedCommand | null> {
    const known = await this.known(record, command);
    if (known === null) return null;
    if (known.commandHash !== command.commandHash) throw new ApiError('idempotency_key_conflict');
    return known;
  }

  private async known(
    { key, appliedCommand: latest }: RepeatableRecord,
    userKey: UserKey,
  ): Promise<AppliedCommand | null> {
    const isLatest = latest?.userId === userKey.userId && latest.clientKey === userKey.clientKey;
    const held = isLatest ? latest : null;
    const known = held?.finished
      ? held
      : ((await this.documents.get(APPLIED_COMMANDS, keyOf(key, userKey))) ?? held);
    return known !== null && known.endsAt > this.clock.now() ? known : null;
  }

  /** The command that is about to leave its record. */
  private async keep({ key, appliedCommand }: RepeatableRecord): Promise<void> {
    if (appliedCommand === undefined || appliedCommand.endsAt <= this.clock.now()) return;
    await this.documents.put(APPLIED_COMMANDS, [document(key, appliedCommand)]);
  }
}

function document(recordKey: string, applied: AppliedCommand): AppliedCommandDocument {
  const revision = applied.finished ? 2 : 1;
  return { ...applied, key: keyOf(recordKey, applied), revision, expiresAt: applied.endsAt };
}

function keyOf(recordKey: string, { userId, clientKey }: UserKey): string {
  return `${recordKey}|${userId}|${clientKey}`;
}
