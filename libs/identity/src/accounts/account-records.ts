import { Injectable } from '@nestjs/common';
import { Documents } from '#documents/documents';
import type { Collection, Document } from '#documents/documents';
import { ApiError } from '#http/api-error';
import { RecordChanges } from '../record-changes.js';

export const COLUMN_VIEWS = ['remaining', 'spent', 'planned'] as const;
export const THEMES = ['light', 'dark', 'system'] as const;

/** What a user chose for the screen. */
export interface UserSettings {
  readonly column_view: (typeof COLUMN_VIEWS)[number];
  readonly location_opt_in: boolean;
  readonly theme: (typeof THEMES)[number];
}

export const DEFAULT_SETTINGS: UserSettings = {
  column_view: 'remaining',
  location_opt_in: false,
  theme: 'system',
};

/** A user. The key is the user's id, a ULID. Times are milliseconds since the epoch. */
export interface Account extends Document {
  /** As it was typed when signing up; mails go there. */
  readonly email: string;
  /** By which addresses are compared, see `foldEmail`. */
  readonly emailFolded: string;
  readonly name: string;
  /** argon2id in PHC form. */
  readonly passwordHash: string;
  /**
   * Counts the changes of password. Sessions and password-reset links of an earlier epoch are over, so that
   * counting up ends them all in the one write that changes the password.
   */
  readonly sessionEpoch: number;
  /** The id of the one session that outlived the last change of epoch, the one that changed the password. */
  readonly survivingSession: string | null;
  readonly personalHouseholdId: string;
  /** What the user chose; it only counts while the user is a member and the household is not archived. */
  readonly defaultHouseholdId: string;
  readonly settings: UserSettings;
  readonly createdAt: number;
}

export const ACCOUNTS: Collection<Account> = {
  name: 'accounts',
  durability: 'durable',
  indexes: [{ name: 'email', equals: ['emailFolded'], unique: true }],
};

/** The form by which addresses are compared: contract §1 ignores letter case, the local part's included. */
export function foldEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** The accounts by id and by address. */
@Injectable()
export class Accounts {
  constructor(
    private readonly documents: Documents,
    private readonly changes: RecordChanges,
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
    return this.changes.change(ACCOUNTS, userId, current => {
      if (current === null) throw new ApiError('unauthenticated');
      const next = decide(current);
      return next === current ? { result: current } : { next, result: next };
    });
  }
}

/** The names that users have now. Nothing is kept: a renamed user shows the present name on every instance. */
@Injectable()
export class UserNames {
  constructor(private readonly documents: Documents) {}

  /** Ids that name nobody are left out. @throws DocumentsUnavailable */
  async namesOf(userIds: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const ids = [...new Set(userIds)];
    if (ids.length === 0) return new Map();
    const accounts = await this.documents.getMany(ACCOUNTS, ids);
    return new Map(accounts.map(account => [account.key, account.name]));
  }
}
