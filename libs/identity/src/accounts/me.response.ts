import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Email, Id, Text } from '#http/response-fields';
import { ROLES, type Role } from '../households/household-records.js';
import { HouseholdResponse } from '../households/household.response.js';

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

/** The answer of `GET /me` and `PATCH /me`; signing in tells it, too. */
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
