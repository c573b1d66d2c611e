/** What identity asks of the budgets of households. */
export abstract class BudgetHistories {
  /** Whether anything was ever recorded in a household's budget. @throws EventStoreUnavailable */
  abstract hasEvents(householdId: string): Promise<boolean>;

  /** Deletes the budget of a household whose erasure is recorded, for good. May be repeated. */
  abstract erase(householdId: string): Promise<void>;
}
