import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Text } from '#http/response-fields';
import { MeResponse } from './me.response.js';

/** The answer of signing in, and of redeeming a verification link. */
@ApiSchema({ name: 'SignedIn', description: 'A new session' })
export class SignedInResponse {
  @Text('The session’s bearer token, returned only here', 'hbs_…')
  readonly token!: string;

  @ApiProperty({ type: MeResponse, description: 'The user who signed in' })
  readonly me!: MeResponse;
}
