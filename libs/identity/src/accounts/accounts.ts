import { Injectable, Logger } from '@nestjs/common';
import { isUnavailable } from '#concurrency/unavailable';
import { Documents, QUERY_LIMIT_MAX, type Collection } from '#storage/documents/documents';
import type { KeyedCommand } from '#storage/documents/idempotency-keys';
import { ApiError } from '#http/api-error';
import {
  RepeatableChanges,
  type AppliedCommand,
  type Outcome,
  type RepeatableRecord,
} from '../repeatable-changes.js';
import { foldEmail, spellingOf } from './email-address.js';

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

/** How long a link that confirms a new address is valid. */
export const EMAIL_CHANGE_MS = 24 * 3_600_000;

/** An address that an account is to get once its owner has confirmed it. */
export interface EmailChange {
  /** A ULID, of which the link's secret is made. */
  readonly id: string;
  /** As it was typed. */
  readonly email: string;
  readonly requestedAt: number;
}

/** A user. The key is the user's id, a ULID. Times are milliseconds since the epoch. */
export interface Account extends RepeatableRecord {
  /** The address as it was typed; mails are sent to it. */
  readonly email: string;
  /** Its form by `foldEmail`, or `spellingOf` of an account from before domains were compared in one form. */
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
  /** Whether the user is locked: absent or false, unless an operator or an erasure locked it. */
  readonly disabled?: boolean;
  /** The latest request; null or absent for none. A new password ends it. */
  readonly emailChange?: EmailChange | null;
  /** Of the link that confirms it, for the index. */
  readonly emailLinkHash?: string | null;
}

/** Ends a request for another address. */
export const NO_EMAIL_CHANGE: Pick<Account, 'emailChange' | 'emailLinkHash'> = {
  emailChange: null,
  emailLinkHash: null,
};

export const ACCOUNTS: Collection<Account> = {
  name: 'accounts',
  durability: 'durable',
  indexes: [
    { name: 'email', equals: ['emailFolded'], unique: true },
    { name: 'mailbox', equals: ['mailbox'] },
    { name: 'email_link', equals: ['emailLinkHash'] },
    // Those that another account may share its mailbox with.
    { name: 'otherwise_folded', equals: ['otherwiseFolded'] },
  ],
  indexed: ({ email, emailFolded }) => {
    const mailbox = foldEmail(email);
    return { mailbox, otherwiseFolded: mailbox === emailFolded ? null : true };
  },
};

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

  /** The existing accounts, by id. */
  async findAll(userIds: readonly string[]): Promise<ReadonlyMap<string, Account>> {
    const accounts = userIds.length === 0 ? [] : await this.documents.getMany(ACCOUNTS, userIds);
    return new Map(accounts.map(account => [account.key, account]));
  }

  /**
   * The account of an address, however it is spelt. If accounts share a mailbox, each is found by the spelling that it was
   * created with; any other spelling finds the oldest.
   */
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

  /**
   * Changes an account and returns it.
   * @param decide the changed account, or the same one for no change
   * @throws ApiError `unauthenticated` where there is no such account
   */
  async change(userId: string, decide: (account: Account) => Account | Promise<Account>): Promise<Account> {
    const { record } = await this.changeOnce(userId, null, decide);
    return record;
  }

  /**
   * `change` for a command that may be repeated.
   * @param decide not called for a command that was carried out before
   * @throws ApiError `unauthenticated` where there is no such account, IdempotencyConflict
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
   * Reserves a command among those of its user before it makes something of its own.
   * @param draw checks that it may be made; returns its id
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

/**
 * Waits for the steps that follow a change of an account. The change stands if one fails, so the log reports it.
 * @param change what was done, for the log
 * @param steps by what the log says of their failure
 */
export async function afterChange(
  change: string,
  steps: Readonly<Record<string, Promise<unknown>>>,
): Promise<void> {
  const outcomes = await Promise.allSettled(Object.values(steps));
  for (const [at, step] of Object.keys(steps).entries()) {
    const outcome = outcomes[at]!;
    if (outcome.status === 'rejected') log.error(`${change}, but ${step}: ${told(outcome.reason)}`);
  }
}

/** A store's message is written for operators. Any other may contain an address, so only its name is logged. */
function told(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return isUnavailable(error) ? error.message : error.name;
}
