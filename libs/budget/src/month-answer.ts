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
export function monthAfter(householdId: string, executed: Executed, month: string): MonthView {
  const view = viewAfter(householdId, executed, month);
  if (!view) throw notFound('month');
  return view;
}

/** The months that a command changed, oldest first. */
export function monthsAfter(householdId: string, executed: Executed): MonthView[] {
  return executed.months.flatMap(month => viewAfter(householdId, executed, month) ?? []);
}

/** Of the document that was written, where there is one. */
function viewAfter(
  householdId: string,
  { household, monthDocuments }: Executed,
  month: string,
): MonthView | null {
  const budget = budgetOf(household, month);
  if (!budget) return null;
  const written = monthDocuments.find(document => document.month === month);
  const document = written ?? monthDocument(householdId, household, budget);
  return monthView(document, identitiesDocument(householdId, household), household.untracked.count);
}

export function monthAnswer(householdId: string, executed: Executed, month: string): Answer<MonthView> {
  return { body: monthAfter(householdId, executed, month), replayed: executed.replayed };
}
