import { Injectable } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Email, Id, Text } from '#http/response-fields';
import { type HouseholdRecord, ROLES, type Role } from '../households/household-records.js';
import { householdResponse, HouseholdResponse } from '../households/household.response.js';
import { canBeDefault, Households, requireMember } from '../households/households.js';
import { Accounts } from './accounts.js';
import type { Account } from './account-records.js';

@ApiSchema({ name: 'User' })
class UserResponse {
  @Id('The user')
  readonly id!: string;

  @Email('The address as given at sign-up; mails are sent to it')
  readonly email!: string;

  @Text('The name shown to other members', 'Ada')
  readonly name!: string;
}

@ApiSchema({ name: 'DefaultHousehold', description: 'The household for calls that do not name one' })
class DefaultHouseholdResponse {
  @Id('The household')
  readonly id!: string;

  @Text('Its name', "Ada's household")
  readonly name!: string;

  @ApiProperty({ enum: ROLES, enumName: 'Role', description: 'The role of a member in a household' })
  readonly role!: Role;
}

/** The response of `GET /me` and `PATCH /me`, and a part of that of signing in. */
@ApiSchema({ name: 'Me', description: 'The caller, with every household they are a member of' })
export class MeResponse {
  @ApiProperty({ type: UserResponse, description: 'The caller' })
  readonly user!: UserResponse;

  @ApiProperty({ type: DefaultHouseholdResponse, description: 'The default household' })
  readonly household!: DefaultHouseholdResponse;

  @Id('The default household')
  readonly default_household_id!: string;

  @ApiProperty({
    type: [HouseholdResponse],
    description: 'The personal one first, then in the order of joining',
  })
  readonly households!: readonly HouseholdResponse[];
}

/** The answer of signing in, and of redeeming a verification link. */
@ApiSchema({ name: 'SignedIn', description: 'A new session' })
export class SignedInResponse {
  @Text('The session’s bearer token, returned only here', 'hbs_…')
  readonly token!: string;

  @ApiProperty({ type: MeResponse, description: 'The user who signed in' })
  readonly me!: MeResponse;
}

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
