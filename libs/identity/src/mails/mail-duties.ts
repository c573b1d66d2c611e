import { Injectable } from '@nestjs/common';
import { timestamp, Clock, CLOCKS_APART_MS_MAX } from '#concurrency/clock';
import { Documents, type Collection, type Document } from '#storage/documents/documents';
import { EVERY_KEY } from '#storage/documents/declared';
import { insertIfAbsent } from '#storage/documents/insert-if-absent';
import { pagesOf } from '#storage/documents/pages';
import { JobQueue } from '#storage/jobs/job-queue';
import { EMAIL_CHANGE_MS } from '../accounts/accounts.js';
import { RESET_MS } from '../accounts/password-resets.js';
import { VERIFICATION_MS } from '../accounts/sign-up-records.js';
import { INVITE_MS } from '../households/household-records.js';
import { Randomness } from '../surroundings.js';

/** What has to be mailed: references, no secrets and no texts but those that are nowhere else any more. */
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

/** A mail that the service owes somebody. It goes when the mail has gone, or when it has become pointless. */
export interface MailDuty extends Document {
  readonly errand: MailErrand;
  /** As an ISO timestamp. */
  readonly owedSince: string;
  /** Always true, for the index. */
  readonly owed: true;
}

export const MAIL_DUTIES: Collection<MailDuty> = {
  name: 'mail_duties',
  durability: 'durable',
  indexes: [{ name: 'owed', equals: ['owed'], sort: 'owedSince' }],
};

/** The queue that delivers the duties; a job's id and data are the duty's id. */
export const MAIL_QUEUE = 'mail';

const HOUR_MS = 3_600_000;
/** How long after it was owed a mail is still worth sending, in milliseconds: then its link is over. */
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

/** Duties looked at in one step of a sweep, and steps of one sweep. */
const SWEEP_PAGE = 500;
const SWEEP_PAGES_MAX = 40;

/** The mails that are owed: recorded first, then queued, so that neither a crash nor a lost queue loses one. */
@Injectable()
export class MailDuties {
  constructor(
    private readonly documents: Documents,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Records a duty and queues it behind the caller's back: no request waits for the queue. */
  async record(errand: MailErrand): Promise<void> {
    await this.recordOnce(this.randomness.ulid(this.clock.now()), errand);
  }

  /** `record` of a duty that there is already under the same key changes nothing. */
  async recordOnce(key: string, errand: MailErrand): Promise<void> {
    const now = this.clock.now();
    const expiresAt = now + POINTLESS_AFTER_MS[errand.kind];
    const duty = { key, revision: 1, errand, owedSince: timestamp(now), owed: true, expiresAt } as const;
    await insertIfAbsent(this.documents, MAIL_DUTIES, duty);
    // The sweep finds it where this fails.
    void this.enqueue(key).catch(() => undefined);
  }

  /** Forgets the duties of which something holds: what they would tell of is erased. */
  async forget(concerns: (duty: MailDuty) => boolean): Promise<void> {
    for await (const page of pagesOf(this.documents, MAIL_DUTIES, EVERY_KEY, SWEEP_PAGE)) {
      for (const duty of page) if (concerns(duty)) await this.done(duty.key);
    }
  }

  async find(dutyId: string): Promise<MailDuty | null> {
    return this.documents.get(MAIL_DUTIES, dutyId);
  }

  async done(dutyId: string): Promise<void> {
    await this.documents.remove(MAIL_DUTIES, dutyId);
  }

  /**
   * Queues again everything owed since before a time, and what was recorded before the clock was set back; what waits
   * in the queue already is not doubled there.
   */
  async requeue(owedBefore: number): Promise<void> {
    const before = timestamp(owedBefore);
    await this.requeueFrom(null, owedSince => owedSince < before);
    const ahead = timestamp(this.clock.now() + CLOCKS_APART_MS_MAX);
    await this.requeueFrom({ sort: ahead, key: '' }, () => true);
  }

  /** In the order of their times, until one is not late or `SWEEP_PAGES_MAX` pages are through. */
  private async requeueFrom(
    start: { readonly sort: string; readonly key: string } | null,
    isLate: (owedSince: string) => boolean,
  ): Promise<void> {
    let after = start;
    for (let page = 0; page < SWEEP_PAGES_MAX; page += 1) {
      const duties = await this.documents.query(MAIL_DUTIES, {
        index: 'owed',
        equals: { owed: true },
        limit: SWEEP_PAGE,
        ...(after && { after }),
      });
      const late = duties.filter(({ owedSince }) => isLate(owedSince));
      for (const { key } of late) await this.enqueue(key);
      const last = late.at(-1);
      if (last === undefined || late.length < SWEEP_PAGE) return;
      after = { sort: last.owedSince, key: last.key };
    }
  }

  private async enqueue(dutyId: string): Promise<void> {
    await this.queue.enqueue({ queue: MAIL_QUEUE, id: dutyId });
  }
}
