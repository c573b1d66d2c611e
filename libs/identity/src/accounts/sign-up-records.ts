import { Injectable } from '@nestjs/common';
import { Clock, CLOCKS_APART_MS_MAX } from '#concurrency/clock';
import { Documents, type Collection, type Document } from '#storage/documents/documents';
import { looksLikeLinkSecret, hashOfSecret, Randomness, SecretKey } from '../secrets.js';
import { RecordChanges } from '../record-changes.js';
import { foldEmail } from './email-address.js';

/** Name and password of a person who owns an address, or claims to. */
export interface Applicant {
  readonly name: string;
  readonly passwordHash: string;
}

/** A sign-up of which no link has been redeemed. It outlives its link, so that it can get a new one. */
interface PendingSignUp extends Applicant {
  /** A ULID. */
  readonly id: string;
  /** As it was typed. */
  readonly email: string;
  readonly signedUpAt: number;
  /** Changes with each new link; with the id it makes the link's secret. */
  readonly issue: string;
  readonly linkHash: string;
  /** When the present link ends; how long the sign-up is kept follows from it. */
  readonly endsAt: number;
}

/** The owner of an address who was not admitted when the link was redeemed. */
export interface VerifiedApplicant extends Applicant {
  readonly email: string;
  readonly verifiedAt: number;
}

/**
 * The sign-ups of an address without an account, and the applicant who proved to own it: one record, since redeeming a
 * link ends the others. The key is the folded address.
 */
export interface SignUpRecord extends Document {
  readonly signUps: readonly PendingSignUp[];
  readonly verified: VerifiedApplicant | null;
  /** Copies for the index. */
  readonly linkHashes: readonly string[];
}

export const SIGN_UPS: Collection<SignUpRecord> = {
  name: 'sign_ups',
  durability: 'durable',
  indexes: [
    { name: 'link', equals: ['linkHashes'], list: 'linkHashes' },
    { name: 'mailbox', equals: ['mailbox'] },
  ],
  indexed: ({ key }) => ({ mailbox: foldEmail(key) }),
};

/** How long a verification link is valid. */
export const VERIFICATION_MS = 24 * 3_600_000;
/** How long a sign-up is kept after its latest link: its owner can request a new one until then. */
const SIGN_UP_KEPT_MS = 7 * 24 * 3_600_000;
/** The most sign-ups of one address. The mail throttle admits no more while a link is valid: none with one is dropped. */
const PENDING_SIGN_UPS_MAX = 120;
/** The most records of one mailbox that are looked at. */
const SPELLINGS_MAX = 100;

/** The sign-ups by address and by link. */
@Injectable()
export class SignUps {
  constructor(
    private readonly documents: Documents,
    private readonly changes: RecordChanges,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly secretKey: SecretKey,
  ) {}

  async find(emailFolded: string): Promise<SignUpRecord | null> {
    await this.gather(emailFolded);
    const record = await this.documents.get(SIGN_UPS, emailFolded);
    return record && cleaned(record, this.clock.now());
  }

  /** Records a sign-up. @returns its id; the link's secret is derived again when the mail is made */
  async add(emailFolded: string, applicant: Applicant & { readonly email: string }): Promise<string> {
    const now = this.clock.now();
    const id = this.randomness.ulid(now);
    const signUp: PendingSignUp = { id, ...applicant, signedUpAt: now, ...this.link(id, id, now) };
    return this.changes.change(SIGN_UPS, emailFolded, current => {
      const record = current === null ? emptyRecord(emailFolded) : cleaned(current, now);
      const kept = record.signUps.slice(1 - PENDING_SIGN_UPS_MAX);
      return { next: indexed({ ...record, signUps: [...kept, signUp] }), result: id };
    });
  }

  /**
   * Gives the latest sign-up of an address a new link instead of the older one.
   * @param issue a ULID; the same issue gives the same link, and an earlier one than the present does not end that
   * @returns the sign-up with its present link; null if none waits
   */
  async renewLink(emailFolded: string, issue: string): Promise<PendingSignUp | null> {
    const now = this.clock.now();
    await this.gather(emailFolded);
    return this.changes.change(SIGN_UPS, emailFolded, current => {
      const record = current && cleaned(current, now);
      const latest = record?.signUps.at(-1);
      if (!record || latest === undefined) return { result: null };
      if (latest.issue === issue) return { result: latest };
      if (latest.issue > issue && !isToCome(latest, now)) return { result: latest };
      const renewed = { ...latest, ...this.link(latest.id, issue, now) };
      const signUps = [...record.signUps.slice(0, -1), renewed];
      return { next: indexed({ ...record, signUps }), result: renewed };
    });
  }

  /** A sign-up whose link is to be mailed; null if it or its link has ended. */
  async toBeMailed(emailFolded: string, id: string): Promise<PendingSignUp | null> {
    const record = await this.find(emailFolded);
    const signUp = record?.signUps.find(one => one.id === id);
    return signUp !== undefined && this.hasValidLink(signUp) ? signUp : null;
  }

  /** The secret of a sign-up's present link. */
  linkSecret({ id, issue }: Pick<PendingSignUp, 'id' | 'issue'>): string {
    return this.secretKey.mac('verification link', id, issue).toString('base64url');
  }

  /** The sign-up of a link, with the address; null for a link that is not valid (any more), and for any other text. */
  async byLink(secret: string): Promise<{ emailFolded: string; signUp: PendingSignUp } | null> {
    if (!looksLikeLinkSecret(secret)) return null;
    const linkHash = hashOfSecret(secret);
    const query = { index: 'link', equals: { linkHashes: linkHash }, limit: 1 };
    const [record] = await this.documents.query(SIGN_UPS, query);
    const signUp = record?.signUps.find(one => one.linkHash === linkHash);
    if (!record || signUp === undefined || !this.hasValidLink(signUp)) return null;
    const emailFolded = foldEmail(record.key);
    await this.gather(emailFolded);
    return { emailFolded, signUp };
  }

  /**
   * Records that the owner of an address is known but not admitted; every link of the address ends with this.
   * @returns false where the link was redeemed or ended meanwhile
   */
  async verifyOnly(emailFolded: string, signUp: PendingSignUp): Promise<boolean> {
    const { email, name, passwordHash } = signUp;
    const verified = { email, name, passwordHash, verifiedAt: this.clock.now() };
    return this.changes.change(SIGN_UPS, emailFolded, current => {
      const waits = current?.signUps.some(one => one.id === signUp.id && one.linkHash === signUp.linkHash);
      if (!current || waits !== true) return { result: false };
      return { next: indexed({ ...current, signUps: [], verified }), result: true };
    });
  }

  /** Removes the sign-ups of an address that has an account now. */
  async forget(emailFolded: string): Promise<void> {
    await this.documents.remove(SIGN_UPS, emailFolded);
  }

  /** Brings records from before domains were compared in one form under the key of their mailbox. */
  private async gather(emailFolded: string): Promise<void> {
    const query = { index: 'mailbox', equals: { mailbox: emailFolded }, limit: SPELLINGS_MAX };
    const records = await this.documents.query(SIGN_UPS, query);
    for (const stray of records.filter(({ key }) => key !== emailFolded)) {
      await this.changes.change(SIGN_UPS, emailFolded, current => {
        const record = current ?? emptyRecord(emailFolded);
        return { next: indexed(merged(record, stray)), result: undefined };
      });
      await this.documents.remove(SIGN_UPS, stray.key, stray.revision);
    }
  }

  private hasValidLink(signUp: PendingSignUp): boolean {
    return signUp.endsAt > this.clock.now();
  }

  private link(id: string, issue: string, now: number): Pick<PendingSignUp, 'issue' | 'linkHash' | 'endsAt'> {
    const linkHash = hashOfSecret(this.linkSecret({ id, issue }));
    return { issue, linkHash, endsAt: now + VERIFICATION_MS };
  }
}

/** Repeatable: a sign-up that is in both counts once. */
function merged(record: SignUpRecord, stray: SignUpRecord): SignUpRecord {
  const known = new Set(record.signUps.map(({ id }) => id));
  const signUps = [...stray.signUps.filter(({ id }) => !known.has(id)), ...record.signUps];
  return {
    ...record,
    signUps: signUps.toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(-PENDING_SIGN_UPS_MAX),
    verified: record.verified ?? stray.verified,
  };
}

function emptyRecord(emailFolded: string): SignUpRecord {
  return { key: emailFolded, revision: 1, signUps: [], verified: null, linkHashes: [] };
}

/** Whether its link seems to be from the future: the clock was set back, and later issues seem to be earlier. */
function isToCome({ endsAt }: PendingSignUp, now: number): boolean {
  return endsAt - VERIFICATION_MS > now + CLOCKS_APART_MS_MAX;
}

/** Until when a sign-up is kept. */
function keptUntil({ endsAt }: PendingSignUp): number {
  return endsAt - VERIFICATION_MS + SIGN_UP_KEPT_MS;
}

/** Without expired sign-ups. */
function cleaned(record: SignUpRecord, now: number): SignUpRecord {
  return { ...record, signUps: record.signUps.filter(signUp => keptUntil(signUp) > now) };
}

/** With what follows from its sign-ups: the index, and when the whole record expires. */
function indexed({ expiresAt: _former, ...record }: SignUpRecord): SignUpRecord {
  const linkHashes = record.signUps.map(signUp => signUp.linkHash);
  if (record.verified !== null) return { ...record, linkHashes };
  return { ...record, linkHashes, expiresAt: Math.max(...record.signUps.map(keptUntil)) };
}
