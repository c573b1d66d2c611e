import { Controller, Get, Header, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '#http/access';
import { Answers, Fails } from '#http/answers';
import { CurrentMembership, type Membership } from '#identity/access/caller';
import { GetSyncPage, SyncPageResponse, SyncQuery } from './get-sync-page.js';

@ApiTags('Activity')
@Controller('sync')
export class SyncController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ApiOperation({
    summary: 'Read what changed since a revision',
    description:
      'Each month and transaction that changed after `since`, at most once a page and as it is now. A page ends after ' +
      '`limit` transactions or 2,000 events. While `complete` is false, ask for the next page with `cursor`. Keep the ' +
      '`revision` of the complete page as the next `since`. Apply each page over the copies you hold: replace the ' +
      'months and transactions in it, and remove the months in `removed_months`. The `untracked_count` in a month is ' +
      'that of its page, and an item’s new name comes with the months that have it, not with its transactions.',
  })
  @Access.scope(['budget:read', 'transactions:read'], { household: true })
  @Answers(200, SyncPageResponse, 'One page of changes')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Fails('invalid_cursor')
  getSyncPage(@CurrentMembership() { householdId }: Membership, @Query() query: SyncQuery): Promise<string> {
    return this.queries.execute(new GetSyncPage(householdId, query));
  }
}
