import type { IfMatch } from '#http/entity-tag';
import type { Command } from '#ledger/commands';
import { budgetOf, type Household } from '#ledger/household';
import { identitiesDocument } from '#projections/identities-document';
import { monthDocument } from '#projections/month-document';
import { monthRevision } from '#projections/month-view';
import type { Precondition } from '#engine/commands/command-failures';
import type { HouseholdCall } from './household-call.js';

/**
 * What the `If-Match` of a call asks of the month or transaction that its command changes; undefined where it asks
 * nothing. A thing that is not there is the command's own business: it says `not_found`, except where it would be
 * made by the command, which then is not what the client had in mind.
 */
export function preconditionOf(
  { householdId, ifMatch }: HouseholdCall,
  command: Command,
): Precondition | undefined {
  if (ifMatch === undefined) return undefined;
  switch (command.type) {
    case 'ChangeTransaction':
    case 'DeleteTransaction':
    case 'RestoreTransaction':
      return (_, transactions) => {
        const transaction = transactions.get(command.id);
        return transaction === undefined || matches(ifMatch, transaction.revision);
      };
    case 'CreateMonth':
      return household => {
        const revision = revisionOfMonth(householdId, household, command.month);
        return revision !== null && matches(ifMatch, revision);
      };
    default:
      if (!('month' in command)) return undefined;
      return household => {
        const revision = revisionOfMonth(householdId, household, command.month);
        return revision === null || matches(ifMatch, revision);
      };
  }
}

function matches(ifMatch: IfMatch, revision: number): boolean {
  return ifMatch === 'anything' || ifMatch.includes(revision);
}

function revisionOfMonth(householdId: string, household: Household, month: string): number | null {
  const budget = budgetOf(household, month);
  if (!budget) return null;
  return monthRevision(
    monthDocument(householdId, household, budget),
    identitiesDocument(householdId, household),
  );
}
