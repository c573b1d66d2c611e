import { Injectable } from '@nestjs/common';
import { ApiError } from '#http/api-error';
import type { HouseholdRecord } from '../households/household-records.js';
import { householdResponse, type HouseholdResponse } from '../households/household.response.js';
import { canBeDefault, Households, memberOf } from '../households/households.js';
import { Accounts } from './accounts.js';
import type { Account } from './account-records.js';
import type { MeResponse } from './me.response.js';

/** What a user is told about themselves and their households. */
@Injectable()
export class Profiles {
  constructor(
    private readonly accounts: Accounts,
    private readonly households: Households,
  ) {}

  /**
   * A household as a user sees it who has just changed it.
   * @throws ApiError `not_a_member`, `unauthenticated`
   */
  async household(household: HouseholdRecord, userId: string): Promise<HouseholdResponse> {
    const account = await this.accounts.find(userId);
    if (account === null) throw new ApiError('unauthenticated');
    return householdResponse(household, userId, (await this.households.defaultOf(account)).key);
  }

  async me(account: Account): Promise<MeResponse> {
    const { own, chosen } = await this.householdsOf(account);
    const answers = own.map(household => householdResponse(household, account.key, chosen.key));
    const { id, name, role } = householdResponse(chosen, account.key, chosen.key);
    return {
      user: { id: account.key, email: account.email, name: account.name },
      household: { id, name, role },
      default_household_id: chosen.key,
      households: answers,
    };
  }

  /** A user's households, the personal one first, then in the order of joining; and the default one of them. */
  async householdsOf(
    account: Account,
  ): Promise<{ readonly own: readonly HouseholdRecord[]; readonly chosen: HouseholdRecord }> {
    let own = await this.households.ofMember(account.key);
    let personal = own.find(({ key }) => key === account.personalHouseholdId);
    if (personal === undefined) {
      personal = await this.households.ensurePersonal(account);
      own = [personal, ...own];
    }
    const chosen = own.find(({ key }) => key === account.defaultHouseholdId);
    const sorted = own.toSorted((one, other) => byJoining(one, other, account));
    return { own: sorted, chosen: chosen && canBeDefault(chosen, account.key) ? chosen : personal };
  }
}

function byJoining(one: HouseholdRecord, other: HouseholdRecord, account: Account): number {
  const place = (household: HouseholdRecord): number => {
    if (household.key === account.personalHouseholdId) return 0;
    return memberOf(household, account.key)?.joinedAt ?? Infinity;
  };
  return place(one) - place(other) || (one.key < other.key ? -1 : 1);
}
