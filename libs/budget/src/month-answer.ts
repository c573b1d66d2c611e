import { notFound } from '#http/api-error';
import type { Answer } from '#http/repeatable-write';
import { budgetOf, type Household } from '#ledger/household';
import { identitiesDocument } from '#projections/identities-document';
import { monthDocument, type MonthDocument } from '#projections/month-document';
import { monthRevision, monthView, type MonthView } from '#projections/month-view';
import type { Executed } from '#streams/household-streams';
import type { Versioned } from './household-call.js';

/**
 * A month as a command left it, made from the state that its events produced.
 * @throws ApiError `not_found` where a replayed command's month is there no more
 */
export function monthAfter(householdId: string, executed: Executed, month: string): MonthView {
  return required(viewAfter(householdId, executed, month)).body;
}

/** The months that a command changed, oldest first. */
export function monthsAfter(householdId: string, executed: Executed): MonthView[] {
  return executed.months.flatMap(month => viewAfter(householdId, executed, month)?.body ?? []);
}

export function monthAnswer(householdId: string, executed: Executed, month: string): Answer<MonthView> {
  return { ...required(viewAfter(householdId, executed, month)), replayed: executed.replayed };
}

/** A month of any state of the household. @throws ApiError `not_found` where that does not have the month */
export function monthIn(householdId: string, household: Household, month: string): Versioned<MonthView> {
  return required(viewOf(householdId, household, month));
}

/** Of the document that was written, where there is one. */
function viewAfter(
  householdId: string,
  { household, monthDocuments }: Executed,
  month: string,
): Versioned<MonthView> | null {
  const written = monthDocuments.find(document => document.month === month);
  return viewOf(householdId, household, month, written);
}

function viewOf(
  householdId: string,
  household: Household,
  month: string,
  written?: MonthDocument,
): Versioned<MonthView> | null {
  const budget = budgetOf(household, month);
  if (!budget) return null;
  const document = written ?? monthDocument(householdId, household, budget);
  const identities = identitiesDocument(householdId, household);
  return {
    body: monthView(document, identities, household.untracked.count),
    revision: monthRevision(document, identities),
  };
}

function required(view: Versioned<MonthView> | null): Versioned<MonthView> {
  if (!view) throw notFound('month');
  return view;
}
