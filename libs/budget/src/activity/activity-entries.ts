import { Injectable } from '@nestjs/common';
import { Documents } from '#storage/documents/documents';
import { decimalsOf } from '#http/currencies';
import { shownEventId } from '#http/path-params';
import { UserNames } from '#identity/accounts/accounts';
import type { PresentNames } from '#ledger/present-names';
import { presentNames, summaryOf } from '#projections/activity-summary';
import { transactionKey } from '#projections/transaction-document';
import type { RecordedCommandEvents } from '#engine/commands/command-log';
import { transactionOf } from '#engine/commands/command-facts';
import type { HouseholdInCurrency } from '../household-call.js';
import { HouseholdReads } from '../household-reads.js';
import type { ActivityEntry } from './activity.response.js';

/** Tells people about commands, by present names. */
@Injectable()
export class ActivityEntries {
  constructor(
    private readonly documents: Documents,
    private readonly reads: HouseholdReads,
    private readonly userNames: UserNames,
  ) {}

  /** One entry for each command of a household, in the order given. @throws DocumentsUnavailable */
  async of(
    household: HouseholdInCurrency,
    commands: readonly RecordedCommandEvents[],
  ): Promise<readonly ActivityEntry[]> {
    return entriesOf(commands, await this.names(household, commands));
  }

  private async names(
    { householdId, currency }: HouseholdInCurrency,
    commands: readonly RecordedCommandEvents[],
  ): Promise<PresentNames> {
    const transactionIds = commands.map(transactionOf).filter(id => id !== null);
    const keys = [...new Set(transactionIds)].map(id => transactionKey(householdId, id));
    const [identities, transactions, users] = await Promise.all([
      this.reads.identities(householdId),
      this.documents.getMany(this.reads.models.transactions, keys),
      this.userNames.namesOf(commands.map(([{ by }]) => by)),
    ]);
    return presentNames(identities, transactions, users, decimalsOf(currency));
  }
}

/** One entry for each command, in the order given. */
export function entriesOf(
  commands: readonly RecordedCommandEvents[],
  names: PresentNames,
): readonly ActivityEntry[] {
  return commands.map(events => {
    const [first] = events;
    return {
      event_id: shownEventId(first.id),
      revision: first.revision,
      at: first.at,
      by: first.by,
      by_name: names.user(first.by) ?? '',
      type: first.type,
      summary: summaryOf(events, names),
      months: first.metadata.months ?? [],
      transaction_id: transactionOf(events),
    };
  });
}
