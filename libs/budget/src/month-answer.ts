import type { Answer } from '#http/repeatable-write';
import type { Household } from '#ledger/household';
import { requireBudget } from '#ledger/refusal';
import {
  identitiesDocument,
  monthDocument,
  monthRevision,
  monthView,
  type MonthView,
} from '#projections/month-document';
import type { Executed } from '#engine/commands/command-call';
import type { Versioned } from './household-call.js';

/** A month as a command left it. @throws Refusal `not_found` where a replayed command's month is there no more */
export function monthAnswer(householdId: string, executed: Executed, month: string): Answer<MonthView> {
  const { household, monthDocuments, replayed } = executed;
  return { ...monthIn(householdId, household, month, monthDocuments), replayed };
}

/**
 * A month of any state of the household.
 * @param written documents that were made of the state
 * @throws Refusal `not_found` where it does not have the month
 */
export function monthIn(
  householdId: string,
  household: Household,
  month: string,
  written: Executed['monthDocuments'] = [],
): Versioned<MonthView> {
  const document =
    written.find(document => document.month === month) ??
    monthDocument(householdId, household, requireBudget(household, month));
  return versionedMonth(document, identitiesDocument(householdId, household), household.untracked.count);
}

/** A month's view, as `monthView` joins it, with the revision at which its own content last changed. */
export function versionedMonth(...parts: Parameters<typeof monthView>): Versioned<MonthView> {
  return { body: monthView(...parts), revision: monthRevision(parts[0], parts[1]) };
}
