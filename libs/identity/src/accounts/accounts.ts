import { Injectable } from '@nestjs/common';
import { Documents, type DocumentKey } from '#documents/documents';
import { ApiError } from '#http/api-error';
import {
  RepeatableChanges,
  type AppliedCommand,
  type KeyedCommand,
  type Outcome,
} from '../repeatable-changes.js';
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

  /** The accounts that there are, by id. */
  async findAll(userIds: readonly string[]): Promise<ReadonlyMap<string, Account>> {
    const accounts = userIds.length === 0 ? [] : await this.documents.getMany(ACCOUNTS, userIds);
    return new Map(accounts.map(account => [account.key, account]));
  }

  async findByEmail(emailFolded: string): Promise<Account | null> {
    const [account] = await this.documents.query(ACCOUNTS, {
      index: 'email',
      equals: { emailFolded },
      limit: 1,
    });
    return account ?? null;
  }

  /** @throws DuplicateKey naming `email` where the address has an account */
  async insert(account: Account): Promise<void> {
    await this.documents.insert(ACCOUNTS, account);
  }

  /**
   * Changes an account; answers it as it then is.
   * @param decide the changed account, or the same one for no change
   * @throws ApiError `unauthenticated` where there is no such account
   */
  async change(userId: string, decide: (account: Account) => Account): Promise<Account> {
    const { record } = await this.changeOnce(userId, null, decide);
    return record;
  }

  /**
   * `change` for a command that may be repeated.
   * @param decide not called for a command that was carried out before
   * @throws ApiError `unauthenticated` where there is no such account, `idempotency_key_conflict`
   */
  async changeOnce(
    userId: string,
    command: KeyedCommand | null,
    decide: (account: Account) => Account | Promise<Account>,
  ): Promise<Outcome<Account>> {
    const missing = (): ApiError => new ApiError('unauthenticated');
    return this.changes.change(ACCOUNTS, userId, command, missing, async current => {
      const next = await decide(current);
      return next === current ? {} : { next };
    });
  }

  /**
   * Gives a command its place among those of its user before it makes something of its own.
   * @param draw checks that it may be made; answers its id
   * @returns the id of what the command makes, the same one for each repetition; to be confirmed by `finish`
   */
  async reserve(
    command: KeyedCommand,
    draw: () => Promise<string>,
  ): Promise<{ readonly made: string; readonly applied: AppliedCommand }> {
    const missing = (): ApiError => new ApiError('unauthenticated');
    const { applied } = await this.changes.change(
      ACCOUNTS,
      command.userId,
      command,
      missing,
      async current => ({ next: current, made: await draw(), unfinished: true }),
    );
    if (applied?.made == null) throw new Error('the command was meant to make something');
    return { made: applied.made, applied };
  }

  /** Confirms that what a reserved command makes is there. @throws as `RepeatableChanges.finish` */
  async finish(userId: string, applied: AppliedCommand): Promise<void> {
    await this.changes.finish(userId, applied, async () => undefined);
  }
}

/** Names by user, and the documents that said them with their revisions. */
interface NamesWithSources {
  readonly names: ReadonlyMap<string, string>;
  readonly sources: readonly { readonly document: DocumentKey; readonly revision: number | null }[];
}

/** The names that users have now. Nothing is kept: a renamed user shows the present name on every instance. */
@Injectable()
export class UserNames {
  constructor(private readonly documents: Documents) {}

  /**
   * The names, and the documents that say them.
   * @throws DocumentsUnavailable
   */
  async withSources(userIds: readonly string[]): Promise<NamesWithSources> {
    const accounts = await this.accountsOf(userIds);
    const revisions = new Map(accounts.map(({ key, revision }) => [key, revision]));
    return {
      names: namesIn(accounts),
      sources: userIds.map(key => ({
        document: { collection: ACCOUNTS, key },
        revision: revisions.get(key) ?? null,
      })),
    };
  }

  /** Ids that name nobody are left out. @throws DocumentsUnavailable */
  async namesOf(userIds: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    return namesIn(await this.accountsOf(userIds));
  }

  private async accountsOf(userIds: Iterable<string>): Promise<readonly Account[]> {
    const ids = [...new Set(userIds)];
    return ids.length === 0 ? [] : this.documents.getMany(ACCOUNTS, ids);
  }
}

function namesIn(accounts: readonly Account[]): ReadonlyMap<string, string> {
  return new Map(accounts.map(account => [account.key, account.name]));
}
