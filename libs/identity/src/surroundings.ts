/** What the operator decides about accounts and households. */
export abstract class IdentityConfiguration {
  /** `ALLOWED_EMAILS`: addresses, `*@domain`, or `*` for everybody. */
  abstract readonly allowedEmails: readonly string[];
  /** `DEFAULT_CURRENCY`, for households that are created without a currency. */
  abstract readonly defaultCurrency: string;
  /** `APP_URL`, where links in mails lead. Read when a mail is composed, since the server's own address is known late. */
  abstract appUrl(): string;
}

/** What identity needs of the budgets of households. */
export abstract class BudgetHistories {
  /** Whether anything was ever recorded in a household's budget. @throws EventStoreUnavailable */
  abstract hasEvents(householdId: string): Promise<boolean>;

  /** Deletes the budget of a household whose erasure is recorded, for good. May be repeated. */
  abstract erase(householdId: string): Promise<void>;
}
