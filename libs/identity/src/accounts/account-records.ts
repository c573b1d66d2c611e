import type { Collection } from '#documents/documents';
import type { RepeatableRecord } from '../repeatable-changes.js';
import { foldEmail } from './email-address.js';

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
export interface Account extends RepeatableRecord {
  /** The address as given at sign-up; mails are sent to it. */
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
}

export const ACCOUNTS: Collection<Account> = {
  name: 'accounts',
  durability: 'durable',
  indexes: [
    { name: 'email', equals: ['emailFolded'], unique: true },
    { name: 'mailbox', equals: ['mailbox'] },
    // Those that another account may share its mailbox with.
    { name: 'otherwise_folded', equals: ['otherwiseFolded'] },
  ],
  indexed: ({ email, emailFolded }) => {
    const mailbox = foldEmail(email);
    return { mailbox, otherwiseFolded: mailbox === emailFolded ? null : true };
  },
};
