import { Injectable } from '@nestjs/common';
import { Documents } from '#storage/documents/documents';
import { Erasures, type Erasure } from '#storage/documents/erasures';
import { HOUSEHOLDS } from '../households/household-records.js';
import { ACCOUNTS } from '../accounts/account-records.js';
import { BudgetHistories } from '../surroundings.js';
import { Clock } from '#concurrency/clock';
import { HouseholdRemoval } from './household-removal.js';
import { UserRemoval } from './user-removal.js';

/** So long what other processes had under way may still write something of what was erased. */
const REPEATED_MS = 3_600_000;

/** Goes on with erasures that were interrupted, and repeats recent ones. */
@Injectable()
export class ErasureWork {
  constructor(
    private readonly documents: Documents,
    private readonly budgets: BudgetHistories,
    private readonly households: HouseholdRemoval,
    private readonly users: UserRemoval,
    private readonly clock: Clock,
  ) {}

  /** Does what is left of every erasure, also where an older store was put back. To be called before anything is served. */
  async finishAll(): Promise<void> {
    for (const erasure of (await new Erasures(this.documents).all()).values()) {
      if (!erasure.finished || (await this.isBack(erasure))) await this.goOn(erasure);
    }
  }

  /** What was interrupted, and what may have been written again since. */
  async repeatRecent(): Promise<void> {
    const since = this.clock.now() - REPEATED_MS;
    for (const erasure of (await new Erasures(this.documents).all()).values()) {
      if (!erasure.finished || erasure.at > since) await this.goOn(erasure);
    }
  }

  private async goOn({ key, of, by }: Erasure): Promise<void> {
    if (of === 'household') await this.households.goOn(key, by);
    else await this.users.goOn(key, by);
  }

  private async isBack({ key, of }: Erasure): Promise<boolean> {
    if (of === 'user') return (await this.documents.get(ACCOUNTS, key)) !== null;
    return (await this.documents.get(HOUSEHOLDS, key)) !== null || this.budgets.hasEvents(key);
  }
}
