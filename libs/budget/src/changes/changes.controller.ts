import { Readable } from 'node:stream';
import { Controller, Get, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiProduces, ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '#http/access';
import { Answers } from '#http/answers';
import { Describes } from '#http/description-notes';
import { validationFailed } from '#http/api-error';
import { UlidField } from '#http/fields';
import { CurrentMembership, type Membership } from '#identity/access/caller';
import { HouseholdInQuery } from '#identity/access/guards';
import { ChangeFeed } from './change-feed.js';
import { ChangesPace } from './changes-pace.js';
import { HouseholdChanges } from './household-changes.js';
import { takenInTime } from './taken-in-time.js';

class ChangesQuery {
  @UlidField({ optional: true, description: 'The household, for clients that cannot send headers' })
  household?: string;
}

@ApiSchema({ name: 'Change', description: 'The data of one message: what one command changed' })
class ChangeResponse {
  @ApiProperty({
    type: [String],
    description:
      'Months that show something else than before, oldest first: figures, layout, notes, or what they say of a group ' +
      'or an item. Where nothing but their `untracked_count` changed, this message has it',
    example: ['2026-01'],
  })
  readonly months!: readonly string[];

  @ApiProperty({ type: [String], description: 'Ids of transactions that it touched' })
  readonly transactions!: readonly string[];

  @ApiProperty({ type: 'integer', description: 'Untracked transactions of the household', example: 0 })
  readonly untracked_count!: number;
}

@ApiTags('Activity')
@Controller('changes')
export class ChangesController {
  constructor(
    private readonly feed: ChangeFeed,
    private readonly changes: HouseholdChanges,
    private readonly pace: ChangesPace,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Follow the changes',
    description:
      'A stream of server-sent events, one for each command, with the stream revision as id. `Last-Event-ID` ' +
      'resumes without loss; without it, the stream begins now. It ends when the caller loses access, or when the ' +
      'client stops reading.',
  })
  @Access.scope(['budget:read', 'transactions:read'], { household: true })
  @HouseholdInQuery()
  @ApiHeader({ name: 'Last-Event-ID', required: false, schema: { type: 'string', pattern: '^[0-9]{1,15}$' } })
  @ApiProduces('text/event-stream')
  @Describes({
    texts: {
      'text/event-stream':
        'Messages with `id`, the stream revision, and `data`, a `Change` in JSON; comments between',
    },
  })
  @Answers(200, ChangeResponse, 'The stream of changes', {
    headers: { 'X-Accel-Buffering': '`no`: a proxy must not buffer the stream' },
  })
  async followChanges(
    @CurrentMembership() { householdId }: Membership,
    @Query() _query: ChangesQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const after = lastEventOf(request);
    const listener = await this.feed.listen(householdId, request.userId ?? '');
    // Whoever left while the listener came will read nothing, and so never end it.
    if (reply.raw.destroyed) listener.close();
    else reply.raw.once('close', () => listener.close());
    const messages = this.changes.messages(request, householdId, after, listener);
    // Nothing is made before the client has taken what was made: a slow one holds back only itself, and not for long.
    const taken = takenInTime(messages, this.pace.untakenMsMax, () => request.raw.socket.destroy());
    void reply.header('X-Accel-Buffering', 'no');
    const stream = Readable.from(taken, { objectMode: false, highWaterMark: 1 });
    return new StreamableFile(stream, { type: 'text/event-stream; charset=utf-8' });
  }
}

function lastEventOf({ headers }: FastifyRequest): number | null {
  const id = headers['last-event-id'];
  if (id === undefined || id === '') return null;
  if (typeof id === 'string' && /^[0-9]{1,15}$/.test(id)) return Number(id);
  throw validationFailed([{ path: 'Last-Event-ID', message: 'must be the id of a message' }]);
}
