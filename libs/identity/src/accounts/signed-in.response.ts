import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Text } from '#http/response-fields';
import { MeResponse } from './me.response.js';

/** The answer of signing in, and of redeeming a verification link. */
@ApiSchema({ name: 'SignedIn', description: 'A session that has just begun' })
export class SignedInResponse {
  @Text('The session’s bearer token, shown this once', 'hbs_…')
  readonly token!: string;

  @ApiProperty({ type: MeResponse, description: 'Who is signed in' })
  readonly me!: MeResponse;
}
