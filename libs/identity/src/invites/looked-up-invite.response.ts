import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { At, Email, Id, Text } from '#http/response-fields';
import type { InviteStatus } from '../households/household-records.js';
import { INVITE_STATUSES } from './invite.response.js';

@ApiSchema({
  name: 'LookedUpInvite',
  description: 'An invite as shown to a person who may not have an account',
})
/** The answer of `GET /invites/lookup`. */
export class LookedUpInviteResponse {
  @Id('The invite, as accepting and declining name it')
  readonly invite_id!: string;

  @Text('The present name of the household that it leads to', 'Maple Street')
  readonly household_name!: string;

  @Text('The present name of the user who invites', 'Ada')
  readonly inviter_name!: string;

  @Email('The address that is invited', 'ben@example.org')
  readonly email!: string;

  @At('When it expires')
  readonly expires_at!: string;

  @ApiProperty({ enum: INVITE_STATUSES, enumName: 'InviteStatus', description: 'The state of the invite' })
  readonly status!: InviteStatus;
}
