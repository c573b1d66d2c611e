import { Injectable, Logger } from '@nestjs/common';
import { isUnavailable } from '#concurrency/unavailable';
import { Documents, QUERY_LIMIT_MAX } from '#storage/documents/documents';
import type { KeyedCommand } from '#storage/documents/idempotency-keys';
import { ApiError } from '#http/api-error';
import { RepeatableChanges, type Outcome } from '../repeatable-changes.js';
import { foldEmail, spellingOf } from './email-address.js';
import { ACCOUNTS, type Account } from './account-records.js';

/** The accounts by id and by address. */
@Injectable()
export class Accounts {
  constructor(
    private readonly documents: Documents,
    private readonly changes: RepeatableChanges,
  ) {}

  async find(userId: string): Promise<Account | null> {
    return this.documents.get(ACCOUNTS, userId);
  }

  /** @throws ApiError `unauthenticated` if the account is gone */
  async require(userId: string): Promise<Account> {
    const account = await this.find(userId);
    if (account === null) throw new ApiError('unauthenticated');
    return account;
  }

  /** The account of an address, however spelt. Of those that share a mailbox, its own spelling finds one, else the oldest. */
  async findByEmail(email: string): Promise<Account | null> {
    const sharing = await sharingMailbox(this.documents, email);
    const spelling = spellingOf(email);
    return sharing.find(account => spellingOf(account.email) === spelling) ?? sharing[0] ?? null;
  }

  /** Whether an e-mail address is that of a user. */
  async hasEmail(account: Account, email: string): Promise<boolean> {
    if (foldEmail(email) !== foldEmail(account.email)) return false;
    return (await this.findByEmail(email))?.key === account.key;
  }

  /** @throws DuplicateKey naming `email` where the address has an account */
  async insert(account: Account): Promise<void> {
    await this.documents.insert(ACCOUNTS, account);
  }

  /** As `changeOnce`, not repeatable. @returns the account afterwards */
  async change(userId: string, decide: (account: Account) => Account | Promise<Account>): Promise<Account> {
    return (await this.changeOnce(userId, null, decide)).record;
  }

  /**
   * Changes an account by a command that may be repeated.
   * @param decide the changed account, or the same one for no change; not called for a command carried out before
   * @throws ApiError `unauthenticated` if the account is gone, IdempotencyConflict
   */
  async changeOnce(
    userId: string,
    command: KeyedCommand | null,
    decide: (account: Account) => Account | Promise<Account>,
  ): Promise<Outcome<Account>> {
    return this.changes.change(ACCOUNTS, userId, command, 'unauthenticated', async current => {
      const next = await decide(current);
      return next === current ? {} : { next };
    });
  }
}

/** The name of a user who was erased. */
const FORMER_MEMBER = 'Former member';

/** The present names of users. Nothing is cached: a renamed user has the new name on every instance. */
@Injectable()
export class UserNames {
  constructor(private readonly documents: Documents) {}

  /** A name for each id. @throws DocumentsUnavailable */
  async namesOf(userIds: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const ids = [...new Set(userIds)];
    const accounts = ids.length === 0 ? [] : await this.documents.getMany(ACCOUNTS, ids);
    const names = new Map(accounts.map(account => [account.key, account.name]));
    return new Map(ids.map(id => [id, names.get(id) ?? FORMER_MEMBER]));
  }
}

/** The most accounts of one mailbox that are looked at. */
const SHARING_MAX = 100;

/** The accounts of an address's mailbox, the oldest first. More than one were made before domains had one form. */
async function sharingMailbox(documents: Documents, email: string): Promise<readonly Account[]> {
  const query = { index: 'mailbox', equals: { mailbox: foldEmail(email) }, limit: SHARING_MAX };
  const accounts = await documents.query(ACCOUNTS, query);
  return accounts.toSorted((one, other) => one.createdAt - other.createdAt || (one.key < other.key ? -1 : 1));
}

/** The accounts that share a mailbox, as lists of users' ids, the oldest first. @throws DocumentsUnavailable */
export async function sharedMailboxes(documents: Documents): Promise<readonly (readonly string[])[]> {
  const query = { index: 'otherwise_folded', equals: { otherwiseFolded: true }, limit: QUERY_LIMIT_MAX };
  const shared = new Map<string, readonly string[]>();
  for (const { email } of await documents.query(ACCOUNTS, query)) {
    const users = (await sharingMailbox(documents, email)).map(({ key }) => key);
    if (users.length > 1) shared.set(foldEmail(email), users);
  }
  return [...shared.values()];
}

const log = new Logger('accounts');

/** Waits for what follows a change of an account. The change stands if a step fails: the log says which. */
export async function afterChange(
  change: string,
  steps: Readonly<Record<string, Promise<unknown>>>,
): Promise<void> {
  const outcomes = Object.entries(steps).map(([failure, step]) =>
    step.catch((error: unknown) => log.error(`${change}, but ${failure}: ${told(error)}`)),
  );
  await Promise.all(outcomes);
}

/** A store's message is written for operators. Any other may contain an address, so only its name is logged. */
function told(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return isUnavailable(error) ? error.message : error.name;
}
