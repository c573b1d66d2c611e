import { Injectable } from '@nestjs/common';
import { Documents } from '#documents/documents';
import type { Collection } from '#documents/documents';
import { ACCOUNTS } from '../accounts/account-records.js';
import type { Account } from '../accounts/account-records.js';
import { timestamp } from '../record-changes.js';
import { HOUSEHOLDS } from './household-records.js';
import type { HouseholdRecord, Role } from './household-records.js';

/** A household as operators see it. */
export interface DirectoryHousehold {
  readonly id: string;
  readonly name: string;
  readonly personal: boolean;
  readonly archived: boolean;
  readonly createdAt: string;
  readonly members: readonly { readonly userId: string; readonly role: Role; readonly joinedAt: string }[];
  readonly pendingInvites: number;
}

/** A user as operators see them; nothing that signs anybody in. */
export interface DirectoryUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly createdAt: string;
}

/** How many entries a page has. */
export const DIRECTORY_PAGE = 500;
/** Greater than every ULID, and the first key that is none. */
const AFTER_EVERY_ULID = '~';

/** Every household and user, for operators. */
@Injectable()
export class HouseholdDirectory {
  constructor(private readonly documents: Documents) {}

  /** In the order in which they were made, in pages. @throws DocumentsUnavailable */
  async *households(): AsyncGenerator<readonly DirectoryHousehold[]> {
    yield* this.pages(HOUSEHOLDS, directoryHousehold);
  }

  /** In the order in which they signed up, in pages. @throws DocumentsUnavailable */
  async *users(): AsyncGenerator<readonly DirectoryUser[]> {
    yield* this.pages(ACCOUNTS, directoryUser);
  }

  /** Null where there is none. */
  async household(householdId: string): Promise<DirectoryHousehold | null> {
    const record = await this.documents.get(HOUSEHOLDS, householdId);
    return record && directoryHousehold(record);
  }

  /** Null where there is none. */
  async user(userId: string): Promise<DirectoryUser | null> {
    const account = await this.documents.get(ACCOUNTS, userId);
    return account && directoryUser(account);
  }

  private async *pages<T extends HouseholdRecord | Account, U>(
    collection: Collection<T>,
    shown: (document: T) => U,
  ): AsyncGenerator<readonly U[]> {
    let from = '';
    for (;;) {
      const range = { from, before: AFTER_EVERY_ULID, limit: DIRECTORY_PAGE };
      const page = await this.documents.range(collection, range);
      const last = page.at(-1);
      if (last === undefined) return;
      yield page.map(shown);
      if (page.length < DIRECTORY_PAGE) return;
      from = `${last.key}\u0020`;
    }
  }
}

function directoryHousehold(record: HouseholdRecord): DirectoryHousehold {
  return {
    id: record.key,
    name: record.name,
    personal: record.personalOf !== null,
    archived: record.archived,
    createdAt: timestamp(record.createdAt),
    members: record.members.map(({ userId, role, joinedAt }) => ({
      userId,
      role,
      joinedAt: timestamp(joinedAt),
    })),
    pendingInvites: record.invites.length,
  };
}

function directoryUser(account: Account): DirectoryUser {
  return {
    id: account.key,
    email: account.email,
    name: account.name,
    createdAt: timestamp(account.createdAt),
  };
}
