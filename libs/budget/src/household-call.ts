import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access, type Scope } from '#http/access';
import { Answers, Fails } from '#http/answers';
import {
  CanBeTried,
  isDryRun,
  Creates,
  hashOfCommand,
  idempotencyKeyOf,
  REPLAY,
  RepeatableWrite,
} from '#http/repeatable-write';
import { ETAG_HEADER, HonoursIfMatch, ifMatchOf, tagAnswer, type IfMatch } from '#http/representation';
import type { Membership } from '#identity/access/caller';
import type { Command } from '#ledger/commands';
import { budgetOf, type Household } from '#ledger/household';
import { identitiesDocument, monthDocument, monthRevision } from '#projections/month-document';
import type { CommandCall, Precondition } from '#engine/commands/command-call';
import { MonthResponse } from './months/month.response.js';

/** A write on a household, as the API takes it. */
export interface HouseholdCall extends CommandCall {
  /** The caller's name, where authentication had to read the account anyway. */
  readonly callerName: string | undefined;
}

/** A household, with what its amounts are in. */
export type HouseholdInCurrency = Pick<Membership, 'householdId' | 'currency'>;

/** The write under way. Refuses a malformed `Idempotency-Key` with `422 validation_failed`. */
export const CurrentCall = createParamDecorator((_: unknown, context: ExecutionContext): HouseholdCall => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { caller, callerAccount, membership } = request;
  if (!caller || !membership) throw new Error('this route acts on no household');
  const { householdId, archived } = membership;
  const key = idempotencyKeyOf(request);
  const ifMatch = ifMatchOf(request);
  return {
    householdId,
    archived,
    actor: { userId: caller.userId, credential: caller.credential },
    callerName: callerAccount?.name,
    requestId: request.id,
    idempotency: key === undefined ? undefined : { key, hashOf: commandHash },
    precondition: ifMatch && preconditionOf(householdId, ifMatch),
    dryRun: isDryRun(request),
  };
});

/** Where a command holds ids that were drawn for it: two calls that ask for the same differ there. */
const FRESH_IDS: Partial<Record<Command['type'], string>> = {
  CreateMonth: 'newIds',
  ResetMonth: 'newIds',
  AddGroup: 'groupId',
  AddItem: 'itemId',
};

/** SHA-256 of what a command asks for, ids drawn for it left out, in hexadecimal. */
export function commandHash(command: Command): string {
  const drawn = FRESH_IDS[command.type];
  const asked = Object.fromEntries(Object.entries(command).filter(([name]) => name !== drawn));
  return hashOfCommand(asked);
}

/**
 * What an `If-Match` asks of the month or transaction that a command changes; it asks nothing of others. A thing that is
 * not there is the command's own business: it says `not_found`, except where it would be made by the command, which then
 * is not what the client had in mind.
 */
function preconditionOf(householdId: string, ifMatch: IfMatch): Precondition {
  const matches = (revision: number): boolean => ifMatch === 'anything' || ifMatch.includes(revision);
  return (command, household, transactions) => {
    switch (command.type) {
      case 'ChangeTransaction':
      case 'DeleteTransaction':
      case 'RestoreTransaction': {
        const transaction = transactions.get(command.id);
        return transaction === undefined || matches(transaction.revision);
      }
      default: {
        if (!('month' in command)) return true;
        const revision = revisionOfMonth(householdId, household, command.month);
        return revision === null ? command.type !== 'CreateMonth' : matches(revision);
      }
    }
  };
}

function revisionOfMonth(householdId: string, household: Household, month: string): number | null {
  const budget = budgetOf(household, month);
  if (!budget) return null;
  return monthRevision(
    monthDocument(householdId, household, budget),
    identitiesDocument(householdId, household),
  );
}

/** The content of a response, with the revision at which its own content last changed. */
export interface Versioned<T> {
  readonly body: T;
  readonly revision: number;
}

/** Gives the body of an answer, tagged with its revision. */
export async function versioned<T>(reply: FastifyReply, answer: Promise<Versioned<T>>): Promise<T> {
  const { body, revision } = await answer;
  tagAnswer(reply, revision);
  return body;
}

/** A write on the household of the call: who may, what it may answer in every case, and its `Idempotency-Key`. */
export function HouseholdWrite(scope: Scope): MethodDecorator {
  return applyDecorators(Access.scope(scope, { household: true }), BudgetWrite());
}

/** A write that needs one of several scopes, which one depending on what it finds: the handler demands it. */
export function HouseholdWriteOfAnyScope(scopes: readonly Scope[]): MethodDecorator {
  return applyDecorators(Access.anyScope(scopes, { household: true }), BudgetWrite());
}

function BudgetWrite(): MethodDecorator {
  return applyDecorators(RepeatableWrite(), CanBeTried(), Fails('payload_too_large', 'figure_out_of_range'));
}

/** A write of the budget: `201` with a month; conditional on `If-Match`. */
export function CreatesInMonth(description: string): MethodDecorator {
  const creates = Creates(MonthResponse, description, ETAG_HEADER);
  return applyDecorators(creates, HonoursIfMatch(), HouseholdWrite('budget:write'));
}

/** A write of the budget: `200` with the month as it left it; conditional on `If-Match`. */
export function ChangesMonth(description: string): MethodDecorator {
  const answers = Answers(200, MonthResponse, description, { ...ETAG_HEADER, ...REPLAY });
  return applyDecorators(answers, HonoursIfMatch(), HouseholdWrite('budget:write'));
}
