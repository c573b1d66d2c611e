import { Injectable } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import { Email, Id, ListOf, Named, Part, ResponseOf, Text } from '#http/response-fields';
import { type HouseholdRecord, ROLES } from '../households/household-records.js';
import { householdResponse, HouseholdResponse } from '../households/household.response.js';
import { canBeDefault, Households, requireMember } from '../households/households.js';
import { Accounts } from './accounts.js';
import type { Account } from './account-records.js';

@ApiSchema({ name: 'User' })
class UserResponse extends ResponseOf({
  id: Id('The user'),
  email: Email('The address as given at sign-up; mails are sent to it'),
  name: Text('The name shown to other members', 'Ada'),
}) {}

@ApiSchema({ name: 'DefaultHousehold', description: 'The household for calls that do not name one' })
class DefaultHouseholdResponse extends ResponseOf({
  id: Id('The household'),
  name: Text('Its name', "Ada's household"),
  role: Named('Role', ROLES, 'The role of a member in a household'),
}) {}

/** The response of `GET /me` and `PATCH /me`, and a part of that of signing in. */
@ApiSchema({ name: 'Me', description: 'The caller, with every household they are a member of' })
export class MeResponse extends ResponseOf({
  user: Part(UserResponse, 'The caller'),
  household: Part(DefaultHouseholdResponse, 'The default household'),
  default_household_id: Id('The default household'),
  households: ListOf(HouseholdResponse, 'The personal one first, then in the order of joining'),
}) {}

/** The answer of signing in, and of redeeming a verification link. */
@ApiSchema({ name: 'SignedIn', description: 'A new session' })
export class SignedInResponse extends ResponseOf({
  token: Text('The session’s bearer token, returned only here', 'hbs_…'),
  me: Part(MeResponse, 'The user who signed in'),
}) {}

/** Users and their households as the API shows them. */
@Injectable()
export class Profiles {
  constructor(
    private readonly accounts: Accounts,
    private readonly households: Households,
  ) {}

  /** A household as shown to a user who has just changed it. @throws ApiError `not_a_member`, `unauthenticated` */
  async household(household: HouseholdRecord, userId: string): Promise<HouseholdResponse> {
    const account = await this.accounts.require(userId);
    return householdResponse(household, userId, (await this.households.defaultOf(account)).key);
  }

  /** The households are the personal one first, then in the order of joining. */
  async me(account: Account): Promise<MeResponse> {
    const found = await this.households.ofMember(account.key);
    const hasPersonal = found.some(({ key }) => key === account.personalHouseholdId);
    const own = hasPersonal ? found : [await this.households.ensurePersonal(account), ...found];
    const sorted = own.toSorted((one, other) => byJoining(one, other, account));
    const preferred = own.find(({ key }) => key === account.defaultHouseholdId);
    const chosen = preferred && canBeDefault(preferred, account.key) ? preferred : sorted[0]!;
    const { id, name, role } = householdResponse(chosen, account.key, chosen.key);
    return {
      user: { id: account.key, email: account.email, name: account.name },
      household: { id, name, role },
      default_household_id: chosen.key,
      households: sorted.map(one => householdResponse(one, account.key, chosen.key)),
    };
  }
}

function byJoining(one: HouseholdRecord, other: HouseholdRecord, account: Account): number {
  const place = (household: HouseholdRecord): number => {
    return household.key === account.personalHouseholdId ? 0 : requireMember(household, account.key).joinedAt;
  };
  return place(one) - place(other) || (one.key < other.key ? -1 : 1);
}
