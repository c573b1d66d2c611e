import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '#concurrency/clock';
import { JobQueue } from '#storage/jobs/job-queue';
import { ErasureWork } from '../erasure/erasure-work.js';
import { Households } from '../households/households.js';
import { MailDelivery } from './mail-delivery.js';
import { OutboxMessages, MAIL_QUEUE } from './outbox-messages.js';

/** How many mails a process sends at once. */
const MAILS_AT_ONCE = 4;
/** How often outbox messages that no queue holds are queued again. */
const SWEEP_EVERY_MS = 60_000;
/** A younger message is most likely being sent. */
export const SWEEP_AFTER_MS = 30_000;
/** How often erasures are repeated: another process may have written something again meanwhile. */
const ERASE_EVERY_MS = 60_000;
/** How often the expiry of invites is recorded. They count as expired before that. */
const EXPIRE_EVERY_MS = 10 * 60_000;
/** The most households whose invites are looked at each time. */
const EXPIRE_BATCH = 1_000;

/** What identity does in the background: mails and housekeeping. */
@Injectable()
export class IdentityJobs implements OnApplicationBootstrap {
  /** The first sweep takes every message: it was left by a process that may have died. */
  private sweepAfterMs = 0;

  constructor(
    private readonly queue: JobQueue,
    private readonly outbox: OutboxMessages,
    private readonly delivery: MailDelivery,
    private readonly households: Households,
    private readonly erasures: ErasureWork,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.queue.process(MAIL_QUEUE, ({ id }) => this.delivery.deliver(id), { concurrency: MAILS_AT_ONCE });
    this.queue.schedule('outbox-messages', SWEEP_EVERY_MS, () => this.sweepOutbox());
    this.queue.schedule('erasures', ERASE_EVERY_MS, () => this.erasures.repeatRecent());
    this.queue.schedule('expired-invites', EXPIRE_EVERY_MS, () => this.expireInvites());
  }

  /** Queues messages again that the queue has lost. */
  async sweepOutbox(): Promise<void> {
    await this.outbox.requeue(this.clock.now() - this.sweepAfterMs);
    this.sweepAfterMs = SWEEP_AFTER_MS;
  }

  /** Records which invites have expired. Links, sessions and tokens expire in the store by themselves. */
  async expireInvites(): Promise<void> {
    await this.households.expireInvites(EXPIRE_BATCH);
  }
}
