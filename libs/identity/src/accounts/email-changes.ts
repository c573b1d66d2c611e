import { Injectable } from '@nestjs/common';
import { Clock } from '#concurrency/clock';
import { Documents } from '#storage/documents/documents';
import { hashOfSecret, looksLikeLinkSecret, Randomness, SecretKey } from '../secrets.js';
import { Sessions } from '../sessions/sessions.js';
import { ACCOUNTS, EMAIL_CHANGE_MS, type Account, type EmailChange } from './account-records.js';

/** The links that confirm a new address. An account's record holds at most one, so that any write of it can end it. */
@Injectable()
export class EmailChanges {
  constructor(
    private readonly documents: Documents,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly secretKey: SecretKey,
  ) {}

  /** A change to an address, not recorded yet. */
  draw(email: string): EmailChange & { readonly linkHash: string } {
    const requestedAt = this.clock.now();
    const id = this.randomness.ulid(requestedAt);
    return { id, email, requestedAt, linkHash: hashOfSecret(this.linkSecret(id)) };
  }

  /** The secret of a change's link. */
  linkSecret(id: string): string {
    return this.secretKey.mac('email change link', id).toString('base64url');
  }

  /** The account of a link; null for a link that is not valid (any more), and for any other text. */
  async find(secret: string): Promise<{ readonly account: Account; readonly change: EmailChange } | null> {
    if (!looksLikeLinkSecret(secret)) return null;
    const query = { index: 'email_link', equals: { emailLinkHash: hashOfSecret(secret) }, limit: 1 };
    const [account] = await this.documents.query(ACCOUNTS, query);
    const change = account?.emailChange;
    if (!account || !change || !(await this.stands(account, change))) return null;
    return { account, change };
  }

  /** Whether the link is in time, and one of the sessions that existed at the request still lasts. */
  private async stands(account: Account, { requestedAt }: EmailChange): Promise<boolean> {
    if (requestedAt + EMAIL_CHANGE_MS <= this.clock.now()) return false;
    const sessions = await this.sessions.ofAccount(account);
    return sessions.some(({ createdAt }) => createdAt <= requestedAt);
  }
}
