/**
 * What a month or a household may hold. They keep every event under the event store's limit of one append,
 * also the largest: replacing a full month, whose event names every transaction that it untracks and carries
 * every plan, note and adjustment that it takes away.
 */
export const TRANSACTIONS_PER_MONTH_MAX = 20_000;
export const GROUPS_PER_MONTH_MAX = 100;
export const ITEMS_PER_MONTH_MAX = 300;
export const ADJUSTMENTS_PER_MONTH_MAX = 1_000;
/** All notes on the items of one month together, in Unicode code points. */
export const NOTES_LENGTH_PER_MONTH_MAX = 40_000;
/** Budgets of a household, a century: a change of a fund names every later month that it reaches. */
export const BUDGETS_MAX = 1_200;
/**
 * Items of all budgets of a household together, a century with 50 in each month: what a household costs in memory, and a
 * change of a fund that reaches every month, grows with these.
 */
export const PLACES_MAX = 60_000;
/** Groups and items that a household ever made. */
export const IDENTITIES_MAX = 10_000;
export const SPLITS_MAX = 100;
export const OPERATIONS_PER_BATCH_MAX = 500;
