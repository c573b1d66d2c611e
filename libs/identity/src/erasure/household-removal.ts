import { Injectable } from '@nestjs/common';
import { Documents } from '#storage/documents/documents';
import { Erasures } from '#storage/documents/erasures';
import { BudgetHistories } from '../surroundings.js';
import { HOUSEHOLDS, type HouseholdRecord } from '../households/household-records.js';
import { removeHouseholdTraces } from '../households/household-traces.js';
import { MailDuties } from '../mails/mail-duties.js';
import { Clock } from '#concurrency/clock';

/** Erases households. */
@Injectable()
export class HouseholdRemoval {
  private readonly erasures: Erasures;

  constructor(
    private readonly documents: Documents,
    private readonly budgets: BudgetHistories,
    private readonly duties: MailDuties,
    private readonly clock: Clock,
  ) {
    this.erasures = new Erasures(documents);
  }

  /**
   * Erases a household for good. Once its record is written, whatever interrupts this, the next start goes on.
   * @param by the user who does it, or `operator`
   */
  async erase(householdId: string, by: string): Promise<void> {
    await this.erasures.record({ key: householdId, of: 'household', at: this.clock.now(), by });
    await this.goOn(householdId, by);
  }

  /** Once: an older store that is put back brings members back who were told before. */
  private async tellMembers({ key, name, members }: HouseholdRecord, by: string): Promise<void> {
    if ((await this.erasures.find(key))?.told === true) return;
    for (const { userId } of members) {
      if (userId === by) continue;
      const errand = { kind: 'household-deleted', userId, householdName: name, by } as const;
      await this.duties.recordOnce(`${key}-${userId}`, errand);
    }
    await this.erasures.change(key, { told: true });
  }

  /** Does what is left of an erasure that is recorded. May be repeated. */
  async goOn(householdId: string, by: string): Promise<void> {
    const household = await this.documents.get(HOUSEHOLDS, householdId);
    if (household !== null) {
      await this.tellMembers(household, by);
      // From here on the household has no members, on any instance.
      await this.documents.remove(HOUSEHOLDS, householdId);
    }
    await this.budgets.erase(householdId);
    await removeHouseholdTraces(this.documents, householdId);
    await this.duties.forget(({ errand }) => errand.kind === 'invite' && errand.householdId === householdId);
    const finished = await this.documents.scrub();
    if (finished) await this.erasures.change(householdId, { finished });
  }
}
