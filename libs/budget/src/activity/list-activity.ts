import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CursorCodec } from '#http/cursor';
import { CursorField, IntegerField } from '#http/fields';
import { CommandLog, type RecordedCommandEvents } from '#engine/commands/command-log';
import type { HouseholdInCurrency } from '../household-call.js';
import { HouseholdReads } from '../household-reads.js';
import { ActivityEntries } from './activity-entries.js';
import type { ActivityListResponse } from './activity.response.js';

/** The most entries of one page. */
const ACTIVITY_PAGE_MAX = 200;
const ACTIVITY_PAGE_DEFAULT = 50;

/** What `GET /activity` can be asked for. */
export class ListActivityQuery {
  @CursorField()
  cursor?: string;

  @IntegerField({ min: 1, max: ACTIVITY_PAGE_MAX, default: ACTIVITY_PAGE_DEFAULT })
  limit!: number;
}

/** One page of who did what, newest first. */
export class ListActivity extends Query<ActivityListResponse> {
  constructor(
    readonly household: HouseholdInCurrency,
    readonly query: ListActivityQuery,
  ) {
    super();
  }
}

@QueryHandler(ListActivity)
export class ListActivityHandler implements IQueryHandler<ListActivity> {
  constructor(
    private readonly log: CommandLog,
    private readonly reads: HouseholdReads,
    private readonly entries: ActivityEntries,
    private readonly cursors: CursorCodec,
  ) {}

  /** @throws ApiError `invalid_cursor` */
  async execute({ household, query }: ListActivity): Promise<ActivityListResponse> {
    const { householdId } = household;
    const { cursor, limit } = query;
    const scope = ['activity', householdId];
    const place = cursor === undefined ? null : this.cursors.decode(scope, cursor)[0];
    const found = await this.page(householdId, typeof place === 'number' ? place : null, limit + 1);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    return {
      activity: await this.reads.joined(householdId, () => this.entries.of(household, shown)),
      next_cursor: last && found.length > limit ? this.cursors.encode(scope, [last[0].revision]) : null,
    };
  }

  private async page(
    householdId: string,
    before: number | null,
    count: number,
  ): Promise<RecordedCommandEvents[]> {
    const commands: RecordedCommandEvents[] = [];
    // Where every command has one event, one more event tells that the last one is whole.
    for await (const command of this.log.backwards(householdId, before, count + 1)) {
      commands.push(command);
      if (commands.length === count) break;
    }
    return commands;
  }
}
