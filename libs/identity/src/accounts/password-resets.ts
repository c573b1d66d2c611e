import { Injectable } from '@nestjs/common';
import { Clock } from '#concurrency/clock';
import { Documents, type Collection, type Document } from '#storage/documents/documents';
import { insertIfAbsent } from '#storage/documents/insert-if-absent';
import { looksLikeLinkSecret, hashOfSecret, SecretKey } from '../secrets.js';
import type { Account } from './account-records.js';

/** A link for setting a new password. The key is the id of its outbox message. */
interface PasswordReset extends Document {
  readonly userId: string;
  readonly linkHash: string;
  /** The account's epoch when it was made: the next change of password ends it. */
  readonly epoch: number;
  readonly expiresAt: number;
  /** The address that it was mailed to, as the account had it. */
  readonly emailFolded?: string;
}

export const PASSWORD_RESETS: Collection<PasswordReset> = {
  name: 'password_resets',
  durability: 'durable',
  indexes: [
    { name: 'link', equals: ['linkHash'] },
    { name: 'user', equals: ['userId'] },
  ],
};

/** How long a link for a new password is valid. */
export const RESET_MS = 3_600_000;

/** The links for setting a new password. */
@Injectable()
export class PasswordResets {
  constructor(
    private readonly documents: Documents,
    private readonly clock: Clock,
    private readonly secretKey: SecretKey,
  ) {}

  /** Makes the link of an outbox message, or the same one again. @returns its secret */
  async make(account: Account, messageId: string, requestedAt: number): Promise<string> {
    const secret = this.secretKey.mac('reset link', messageId).toString('base64url');
    const reset: PasswordReset = {
      key: messageId,
      revision: 1,
      userId: account.key,
      linkHash: hashOfSecret(secret),
      epoch: account.sessionEpoch,
      emailFolded: account.emailFolded,
      expiresAt: requestedAt + RESET_MS,
    };
    await insertIfAbsent(this.documents, PASSWORD_RESETS, reset);
    return secret;
  }

  /** The link with a secret; null for a link that is not valid (any more), and for any other text. */
  async find(secret: string): Promise<PasswordReset | null> {
    if (!looksLikeLinkSecret(secret)) return null;
    const query = { index: 'link', equals: { linkHash: hashOfSecret(secret) }, limit: 1 };
    const [reset] = await this.documents.query(PASSWORD_RESETS, query);
    return reset !== undefined && reset.expiresAt > this.clock.now() ? reset : null;
  }
}

/** Whether a link still counts: no password was set since, and the account has the address that it was mailed to. */
export function stillCounts({ epoch, emailFolded }: PasswordReset, account: Account): boolean {
  return account.sessionEpoch === epoch && (emailFolded ?? account.emailFolded) === account.emailFolded;
}
