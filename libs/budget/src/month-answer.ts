import { notFound } from '#http/api-error';
import { budgetOf } from '#ledger/household';
import { identitiesDocument } from '#projections/identities-document';
import { monthDocument } from '#projections/month-document';
import { monthView, type MonthView } from '#projections/month-view';
import type { Executed } from '#streams/household-streams';
import type { Answer } from './household-call.js';

/**
 * A month as a command left it, made from the state that its events produced.
 * @throws ApiError `not_found` where a replayed command's month is there no more
 */
export function monthAfter(householdId: string, { household }: Executed, month: string): MonthView {
  const budget = budgetOf(household, month);
  if (!budget) throw notFound('month');
  return monthView(
    monthDocument(householdId, household, budget),
    identitiesDocument(householdId, household),
    household.untracked.count,
  );
}

/** The months that a command changed, oldest first. */
export function monthsAfter(householdId: string, { household, months }: Executed): MonthView[] {
  if (months.length === 0) return [];
  const identities = identitiesDocument(householdId, household);
  const views: MonthView[] = [];
  for (const month of months) {
    const budget = budgetOf(household, month);
    if (!budget) continue;
    const document = monthDocument(householdId, household, budget);
    views.push(monthView(document, identities, household.untracked.count));
  }
  return views;
}

export function monthAnswer(householdId: string, executed: Executed, month: string): Answer<MonthView> {
  return { body: monthAfter(householdId, executed, month), replayed: executed.replayed };
}
