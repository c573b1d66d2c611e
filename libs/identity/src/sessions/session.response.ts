import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { At, Flag, Id, Text } from '#http/response-fields';
import { CLIENTS, type Client } from './sessions.js';

@ApiSchema({ name: 'Session', description: 'A session of a user' })
class SessionResponse {
  @Id('The session')
  readonly id!: string;

  @ApiProperty({ enum: CLIENTS, description: 'The `client` given at sign-in', example: 'web' })
  readonly client!: Client;

  @Text('The `User-Agent` at sign-in', 'Mozilla/5.0', { nullable: true })
  readonly user_agent!: string | null;

  @At('When the user signed in')
  readonly created_at!: string;

  @At('When it was last used, to the minute')
  readonly last_used_at!: string;

  @Flag('Whether it is the current session', true)
  readonly current!: boolean;
}

/** The answer of `GET /auth/sessions`: all that are not over. */
@ApiSchema({ name: 'SessionList' })
export class SessionListResponse {
  @ApiProperty({ type: [SessionResponse], description: 'Newest first' })
  readonly sessions!: readonly SessionResponse[];
}
