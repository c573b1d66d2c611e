import { Accounts } from '#identity/accounts/accounts';
import { PasswordResets } from '#identity/accounts/password-resets';
import { SignUps } from '#identity/accounts/sign-up-records';
import { ErasureWork } from '#identity/erasure/erasure-work';
import { HouseholdRemoval } from '#identity/erasure/household-removal';
import { UserRemoval } from '#identity/erasure/user-removal';
import type { BudgetHistories } from '#identity/households/budget-histories';
import { Households } from '#identity/households/households';
import { MailDuties } from '#identity/mails/mail-duties';
import { RecordChanges } from '#identity/record-changes';
import { RepeatableChanges } from '#identity/repeatable-changes';
import { Sessions } from '#identity/sessions/sessions';
import { SecretKey, SystemClock, SystemRandomness, type IdentityConfiguration } from '#identity/surroundings';
import { Tokens } from '#identity/tokens/tokens';
import type { Stores } from './stores.js';

/** What erases users and households, outside of an application: before one serves, and for operators. */
export interface Removals {
  readonly accounts: Accounts;
  readonly users: UserRemoval;
  readonly work: ErasureWork;
}

export function removalsOn(
  { documents, jobs, secretKey }: Pick<Stores, 'documents' | 'jobs' | 'secretKey'>,
  budgets: BudgetHistories,
  configuration: IdentityConfiguration,
): Removals {
  const [clock, randomness, key] = [new SystemClock(), new SystemRandomness(), new SecretKey(secretKey)];
  const changes = new RecordChanges(documents);
  const repeatable = new RepeatableChanges(documents, changes, clock);
  const accounts = new Accounts(documents, repeatable);
  const duties = new MailDuties(documents, jobs, clock, randomness);
  const households = new HouseholdRemoval(documents, budgets, duties, clock);
  const users = new UserRemoval(
    documents,
    accounts,
    new SignUps(documents, changes, clock, randomness, key),
    new PasswordResets(documents, clock, key),
    new Sessions(documents, clock, randomness),
    new Tokens(documents, changes, clock, randomness),
    new Households(documents, repeatable, clock, configuration),
    households,
    duties,
    clock,
  );
  return { accounts, users, work: new ErasureWork(documents, budgets, households, users, clock) };
}
