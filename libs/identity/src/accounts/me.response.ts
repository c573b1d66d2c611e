import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Email, Id, Text } from '#http/response-fields';
import { ROLES, type Role } from '../households/household-records.js';
import { HouseholdResponse } from '../households/household.response.js';

@ApiSchema({ name: 'User' })
class UserResponse {
  @Id('The user')
  readonly id!: string;

  @Email('As it was typed when signing up; mails go there')
  readonly email!: string;

  @Text('The user’s name, as the members of households see it', 'Ada')
  readonly name!: string;
}

@ApiSchema({ name: 'DefaultHousehold', description: 'The household that calls act on where they name none' })
class DefaultHouseholdResponse {
  @Id('The household')
  readonly id!: string;

  @Text('Its name', "Ada's household")
  readonly name!: string;

  @ApiProperty({ enum: ROLES, enumName: 'Role', description: 'The caller’s own role in it' })
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
