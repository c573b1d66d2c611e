import { Injectable } from '@nestjs/common';
import { Clock, CLOCKS_APART_MS_MAX } from '#concurrency/clock';
import { Documents, type Collection, type Document } from '#storage/documents/documents';
import { EVERY_KEY } from '#storage/documents/declared';
import { insertIfAbsent } from '#storage/documents/insert-if-absent';
import { pagesOf } from '#storage/documents/pages';
import { JobQueue } from '#storage/jobs/job-queue';
import { EMAIL_CHANGE_MS } from '../accounts/account-records.js';
import { RESET_MS } from '../accounts/password-resets.js';
import { VERIFICATION_MS } from '../accounts/sign-up-records.js';
import { INVITE_MS } from '../households/household-records.js';
import { Randomness } from '../secrets.js';

/** What to mail: references, no secrets, and only such texts as are kept nowhere else any more. */
export type MailErrand =
  | { readonly kind: 'sign-up'; readonly email: string; readonly signUpId: string }
  | { readonly kind: 'resend'; readonly email: string }
  | { readonly kind: 'reset'; readonly email: string }
  | { readonly kind: 'password-changed'; readonly userId: string; readonly how: 'changed' | 'reset' }
  | { readonly kind: 'email-change'; readonly userId: string; readonly changeId: string }
  | { readonly kind: 'email-change-note'; readonly email: string }
  | {
      readonly kind: 'household-deleted';
      readonly userId: string;
      readonly householdName: string;
      readonly by: string;
    }
  | { readonly kind: 'invite'; readonly householdId: string; readonly inviteId: string };

/** A mail to be sent. It is removed when the mail was sent or has become pointless. */
export interface OutboxMessage extends Document {
  readonly errand: MailErrand;
  /** As an ISO timestamp. */
  readonly owedSince: string;
  /** Always true, for the index. */
  readonly owed: true;
}

export const OUTBOX_MESSAGES: Collection<OutboxMessage> = {
  name: 'mail_duties',
  durability: 'durable',
  indexes: [{ name: 'owed', equals: ['owed'], sort: 'owedSince' }],
};

/** The queue that delivers outbox messages; a job has the id of its message. */
export const MAIL_QUEUE = 'mail';

const HOUR_MS = 3_600_000;
/** How long a mail is worth sending, in milliseconds: until its link expires. */
const POINTLESS_AFTER_MS: Readonly<Record<MailErrand['kind'], number>> = {
  'sign-up': VERIFICATION_MS,
  resend: VERIFICATION_MS,
  reset: RESET_MS,
  'password-changed': 24 * HOUR_MS,
  'email-change': EMAIL_CHANGE_MS,
  'email-change-note': EMAIL_CHANGE_MS,
  'household-deleted': 7 * 24 * HOUR_MS,
  invite: INVITE_MS,
};

/** The most messages that a sweep reads, of those that are late and of those ahead of the clock. */
const SWEEP_MAX = 20_000;
/** Messages that are read at once where all are looked through. */
const PAGE = 500;

/** The mails to be sent: recorded first, then queued, so that neither a crash nor a lost queue loses one. */
@Injectable()
export class OutboxMessages {
  constructor(
    private readonly documents: Documents,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Records a message and queues it in the background: no request waits for the queue. */
  async record(errand: MailErrand): Promise<void> {
    await this.recordOnce(this.randomness.ulid(this.clock.now()), errand);
  }

  /** `record` under a key; changes nothing if the key exists. */
  async recordOnce(key: string, errand: MailErrand): Promise<void> {
    const now = this.clock.now();
    const expiresAt = now + POINTLESS_AFTER_MS[errand.kind];
    const message = {
      key,
      revision: 1,
      errand,
      owedSince: new Date(now).toISOString(),
      owed: true,
      expiresAt,
    } as const;
    await insertIfAbsent(this.documents, OUTBOX_MESSAGES, message);
    // The sweep finds it where this fails.
    void this.enqueue(key).catch(() => undefined);
  }

  /** Removes messages about something that is erased. */
  async forget(concerns: (message: OutboxMessage) => boolean): Promise<void> {
    for await (const page of pagesOf(this.documents, OUTBOX_MESSAGES, EVERY_KEY, PAGE)) {
      for (const message of page) if (concerns(message)) await this.done(message.key);
    }
  }

  async find(messageId: string): Promise<OutboxMessage | null> {
    return this.documents.get(OUTBOX_MESSAGES, messageId);
  }

  async done(messageId: string): Promise<void> {
    await this.documents.remove(OUTBOX_MESSAGES, messageId);
  }

  /** Queues every message again that was recorded before a time, or before the clock was set back. */
  async requeue(owedBefore: number): Promise<void> {
    const before = new Date(owedBefore).toISOString();
    const query = { index: 'owed', equals: { owed: true }, limit: SWEEP_MAX };
    const earliest = await this.documents.query(OUTBOX_MESSAGES, query);
    const late = earliest.filter(({ owedSince }) => owedSince < before);
    for (const { key } of late) await this.enqueue(key);
    const after = { sort: new Date(this.clock.now() + CLOCKS_APART_MS_MAX).toISOString(), key: '' };
    const ahead = await this.documents.query(OUTBOX_MESSAGES, { ...query, after });
    for (const { key } of ahead) await this.enqueue(key);
  }

  private enqueue(messageId: string): Promise<void> {
    return this.queue.enqueue({ queue: MAIL_QUEUE, id: messageId });
  }
}
