import { Readable } from 'node:stream';
import { Controller, Get, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiProduces, ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '#http/access';
import { Answers } from '#http/answers';
import { validationFailed } from '#http/api-error';
import { UlidField } from '#http/fields';
import { ResponseOf, TextList, Whole } from '#http/response-fields';
import { CurrentMembership, type Membership } from '#identity/access/caller';
import { HouseholdInQuery } from '#identity/access/guards';
import { ChangeFeed } from './change-feed.js';
import { ChangesPace, HouseholdChanges } from './household-changes.js';

/** −1 is the place before the first event. */
const MESSAGE_ID = '^(-1|[0-9]{1,15})$';
const MESSAGE_ID_FORM = new RegExp(MESSAGE_ID);

class ChangesQuery {
  @UlidField({ optional: true, description: 'The household, for clients that cannot send headers' })
  household?: string;
}

@ApiSchema({ name: 'Change', description: 'What one command changed' })
class ChangeResponse extends ResponseOf({
  months: TextList(
    'Months that show something else than before, oldest first: figures, layout, notes, or what they say of a group ' +
      'or an item. Where nothing but their `untracked_count` changed, this message has it',
    ['2026-01'],
  ),
  transactions: TextList('Ids of transactions that it touched'),
  untracked_count: Whole('Untracked transactions of the household', 0),
}) {}

@ApiSchema({ name: 'ChangeMessage', description: 'One message of the stream' })
class ChangeMessage extends ResponseOf({
  id: ApiProperty({
    type: 'string',
    pattern: MESSAGE_ID,
    description:
      'The stream revision up to which the client has been sent everything; `-1` before the first event',
    example: '17',
  }),
  data: ApiProperty({
    type: ChangeResponse,
    required: false,
    description: 'As JSON on one line; absent in the first message and in heartbeats, which only give the id',
  }),
}) {}

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
      'A stream of server-sent events, one for each command, with the stream revision as id. The first message and ' +
      'each heartbeat (every 15 s) have an id but no data: an `EventSource` remembers the id and dispatches no event. ' +
      '`Last-Event-ID` resumes without loss, and `-1` starts with the first event; without it, the stream begins now. ' +
      'It ends when the caller loses access, or when the client stops reading.',
  })
  @Access.scope(['budget:read', 'transactions:read'], { household: true })
  @HouseholdInQuery()
  @ApiHeader({ name: 'Last-Event-ID', required: false, schema: { type: 'string', pattern: MESSAGE_ID } })
  @ApiProduces('text/event-stream')
  @Answers(200, ChangeMessage, 'The stream of changes', {
    'Cache-Control': '`no-cache, no-transform`: caches must not keep it, and proxies must not compress it',
    'X-Accel-Buffering': '`no`: a proxy must not buffer the stream',
  })
  async followChanges(
    @CurrentMembership() { householdId }: Membership,
    @Query() _query: ChangesQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const after = lastEventOf(request);
    const listener = await this.feed.listen(householdId, request.userId ?? '');
    // A client that left before the listener came reads nothing, and so never ends it.
    if (reply.raw.destroyed) listener.close();
    else reply.raw.once('close', () => listener.close());
    const messages = this.changes.messages(request, householdId, after, listener);
    // Nothing is made before the client has taken what was made: a slow one holds back only itself, and not for long.
    const taken = takenInTime(messages, this.pace.untakenMsMax, () => request.raw.socket.destroy());
    void reply.headers({ 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no' });
    const stream = Readable.from(taken, { objectMode: false, highWaterMark: 1 });
    return new StreamableFile(stream, { type: 'text/event-stream; charset=utf-8' });
  }
}

function lastEventOf({ headers }: FastifyRequest): number | null {
  const id = headers['last-event-id'];
  if (id === undefined || id === '') return null;
  if (typeof id === 'string' && MESSAGE_ID_FORM.test(id)) return Number(id);
  throw validationFailed([{ path: 'Last-Event-ID', message: 'must be the id of a message' }]);
}

/**
 * The same messages, each of which must be taken before a time has passed: the next one is asked for when there
 * is room for it. Waiting for a message costs no time of it.
 * @param late called once for each that is not
 */
async function* takenInTime(
  messages: AsyncIterable<string>,
  millisecondsMax: number,
  late: () => void,
): AsyncGenerator<string> {
  for await (const message of messages) {
    const timer = setTimeout(late, millisecondsMax);
    try {
      yield message;
    } finally {
      clearTimeout(timer);
    }
  }
}
