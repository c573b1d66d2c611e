import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '#concurrency/clock';
import { JobQueue } from '#storage/jobs/job-queue';
import { ErasureWork } from '../erasure/erasure-work.js';
import { Households } from '../households/households.js';
import { MailDelivery } from './mail-delivery.js';
import { MailDuties, MAIL_QUEUE } from './mail-duties.js';

/** How many mails a process sends at once. */
const MAILS_AT_ONCE = 4;
/** How often duties are looked for that no queue knows any more. */
const SWEEP_EVERY_MS = 60_000;
/** A duty younger than this is most likely being done. */
export const SWEEP_AFTER_MS = 30_000;
/** How often erasures are repeated: what was under way elsewhere may have written something again. */
const ERASE_EVERY_MS = 60_000;
/** How often invites are looked for whose time is over. Until then they count as expired all the same. */
const EXPIRE_EVERY_MS = 10 * 60_000;
const EXPIRE_BATCH = 200;
/** The most batches of one round, so that a round ends. */
const BATCHES_MAX = 50;

/** What identity does in the background: mails, and the housekeeping that no request does. */
@Injectable()
export class IdentityJobs implements OnApplicationBootstrap {
  /** The first sweep takes everything: what is owed by then was left by a process that may have died. */
  private sweepAfterMs = 0;

  constructor(
    private readonly queue: JobQueue,
    private readonly duties: MailDuties,
    private readonly delivery: MailDelivery,
    private readonly households: Households,
    private readonly erasures: ErasureWork,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.queue.process(MAIL_QUEUE, ({ id }) => this.delivery.deliver(id), { concurrency: MAILS_AT_ONCE });
    this.queue.schedule('mail-duties', SWEEP_EVERY_MS, () => this.sweepDuties());
    this.queue.schedule('erasures', ERASE_EVERY_MS, () => this.erasures.repeatRecent());
    this.queue.schedule('expired-invites', EXPIRE_EVERY_MS, () => this.expireInvites());
  }

  /** Queues again what is owed and was forgotten by the queue. */
  async sweepDuties(): Promise<void> {
    await this.duties.requeue(this.clock.now() - this.sweepAfterMs);
    this.sweepAfterMs = SWEEP_AFTER_MS;
  }

  /** Writes down which invites have expired. Links, sessions and tokens expire in the store by themselves. */
  async expireInvites(): Promise<void> {
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
      if ((await this.households.expireInvites(EXPIRE_BATCH)) < EXPIRE_BATCH) return;
    }
  }
}
