import type { Answer } from '#http/repeatable-write';
import { budgetOf, type Household } from '#ledger/household';
import { notFound } from '#ledger/refusal';
import {
  identitiesDocument,
  type IdentitiesDocument,
  monthDocument,
  type MonthDocument,
} from '#projections/month-document';
import { monthRevision, monthView, type MonthView } from '#projections/month-view';
import type { Executed } from '#engine/commands/command-call';
import type { Versioned } from './household-call.js';

/**
 * A month as a command left it, made from the state that its events produced.
 * @throws Refusal `not_found` where a replayed command's month is there no more
 */
export function monthAfter(householdId: string, executed: Executed, month: string): MonthView {
  return viewOf(required(shownAfter(householdId, executed, month), month));
}

/** The months that a command changed, oldest first. */
export function monthsAfter(householdId: string, executed: Executed): MonthView[] {
  const views: MonthView[] = [];
  for (const month of executed.months) {
    const shown = shownAfter(householdId, executed, month);
    if (shown) views.push(viewOf(shown));
  }
  return views;
}

export function monthAnswer(householdId: string, executed: Executed, month: string): Answer<MonthView> {
  return {
    ...withRevision(required(shownAfter(householdId, executed, month), month)),
    replayed: executed.replayed,
  };
}

/** A month of any state of the household. @throws Refusal `not_found` where that does not have the month */
export function monthIn(householdId: string, household: Household, month: string): Versioned<MonthView> {
  return withRevision(required(shown(householdId, household, month), month));
}

/** What a view of a month is made of. */
interface Shown {
  readonly document: MonthDocument;
  readonly identities: IdentitiesDocument;
  readonly untrackedCount: number;
}

/** Of the document that was written, if any. */
function shownAfter(
  householdId: string,
  { household, monthDocuments }: Executed,
  month: string,
): Shown | null {
  const written = monthDocuments.find(document => document.month === month);
  return shown(householdId, household, month, written);
}

function shown(
  householdId: string,
  household: Household,
  month: string,
  written?: MonthDocument,
): Shown | null {
  const budget = budgetOf(household, month);
  if (!budget) return null;
  return {
    document: written ?? monthDocument(householdId, household, budget),
    identities: identitiesDocument(householdId, household),
    untrackedCount: household.untracked.count,
  };
}

function viewOf({ document, identities, untrackedCount }: Shown): MonthView {
  return monthView(document, identities, untrackedCount);
}

function withRevision(of: Shown): Versioned<MonthView> {
  return { body: viewOf(of), revision: monthRevision(of.document, of.identities) };
}

function required(found: Shown | null, month: string): Shown {
  if (!found) throw notFound('month', month);
  return found;
}
