import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ApiError } from '#http/api-error';
import { ULID_EXAMPLE } from '#http/fields';
import { ROLES } from '../households/household-records.js';
import type { HouseholdRecord, Role } from '../households/household-records.js';
import { HouseholdAnswer, householdAnswer } from '../households/household-answer.js';
import { canBeDefault, Households, memberOf } from '../households/households.js';
import { Accounts } from './accounts.js';
import type { Account } from './account-records.js';

export class UserAnswer {
  @ApiProperty({ type: 'string', example: ULID_EXAMPLE })
  id!: string;

  @ApiProperty({ type: 'string', format: 'email', example: 'ada@example.org' })
  email!: string;

  @ApiProperty({ type: 'string', example: 'Ada' })
  name!: string;
}

export class MyHouseholdAnswer {
  @ApiProperty({ type: 'string', example: ULID_EXAMPLE })
  id!: string;

  @ApiProperty({ type: 'string', example: "Ada's household" })
  name!: string;

  @ApiProperty({ enum: ROLES, enumName: 'Role' })
  role!: Role;
}

/** The caller, with every household they are a member of. */
export class MeAnswer {
  @ApiProperty({ type: UserAnswer })
  user!: UserAnswer;

  @ApiProperty({ type: MyHouseholdAnswer, description: 'The default household' })
  household!: MyHouseholdAnswer;

  @ApiProperty({ type: 'string', description: 'Acted on where a call names none', example: ULID_EXAMPLE })
  default_household_id!: string;

  @ApiProperty({ type: [HouseholdAnswer] })
  households!: HouseholdAnswer[];
}

/** What signing in answers. */
export class SignedInAnswer {
  @ApiProperty({ type: 'string', description: 'A session’s bearer token, shown this once' })
  token!: string;

  @ApiProperty({ type: MeAnswer })
  me!: MeAnswer;
}

/** What a user is told about themselves and their households. */
@Injectable()
export class Profiles {
  constructor(
    private readonly accounts: Accounts,
    private readonly households: Households,
  ) {}

  /** A household as a user sees it who has just changed it. @throws ApiError `not_a_member` */
  async household(household: HouseholdRecord, userId: string): Promise<HouseholdAnswer> {
    const account = await this.accounts.find(userId);
    if (account === null) throw new ApiError('unauthenticated');
    return householdAnswer(household, userId, (await this.households.defaultOf(account)).key);
  }

  async me(account: Account): Promise<MeAnswer> {
    const { own, chosen } = await this.householdsOf(account);
    const answers = own.map(household => householdAnswer(household, account.key, chosen.key));
    const { id, name, role } = householdAnswer(chosen, account.key, chosen.key);
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
