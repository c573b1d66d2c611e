import type { Answer } from '#http/repeatable-write';
import { budgetOf, type Household } from '#ledger/household';
import { requireBudget } from '#ledger/refusal';
import {
  identitiesDocument,
  monthDocument,
  type MonthDocument,
  monthRevision,
  monthView,
  type MonthView,
} from '#projections/month-document';
import type { Executed } from '#engine/commands/command-call';
import type { Versioned } from './household-call.js';

/** The months that a command changed, as far as they are still there, oldest first. */
export function monthsAfter(
  householdId: string,
  { household, monthDocuments, months }: Executed,
): MonthView[] {
  const identities = identitiesDocument(householdId, household);
  return months.flatMap(month => {
    const budget = budgetOf(household, month);
    if (budget === null) return [];
    const written = monthDocuments.find(document => document.month === month);
    const document = written ?? monthDocument(householdId, household, budget);
    return monthView(document, identities, household.untracked.count);
  });
}

/**
 * A month as a command left it, of the document that was written, if any.
 * @throws Refusal `not_found` where a replayed command's month is there no more
 */
export function monthAnswer(
  householdId: string,
  { household, monthDocuments, replayed }: Executed,
  month: string,
): Answer<MonthView> {
  const written = monthDocuments.find(document => document.month === month);
  return { ...monthIn(householdId, household, month, written), replayed };
}

/** A month of any state of the household. @throws Refusal `not_found` where that does not have the month */
export function monthIn(
  householdId: string,
  household: Household,
  month: string,
  written?: MonthDocument,
): Versioned<MonthView> {
  const document = written ?? monthDocument(householdId, household, requireBudget(household, month));
  const identities = identitiesDocument(householdId, household);
  return {
    body: monthView(document, identities, household.untracked.count),
    revision: monthRevision(document, identities),
  };
}
