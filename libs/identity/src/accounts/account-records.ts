// Apart from what changes accounts: the command line reads them without waiting for Nest.
import type { Collection } from '#storage/documents/documents';
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
  /** Counts changes of password: sessions and reset links of an earlier epoch are over, ended in the same write. */
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
