import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiSchema, ApiTags } from '@nestjs/swagger';
import { Access } from '#http/access';
import { answerInParts } from '#http/answer-in-parts';
import { Answers, Describes } from '#http/answers';
import { EnumField } from '#http/fields';
import { At, Currency, Id, ListOf, Part, ResponseOf, Text, Whole } from '#http/response-fields';
import { CurrentMembership, type Membership } from '#identity/access/caller';
import { GroupIdentityResponse, ItemIdentityResponse, MonthResponse } from '../months/month.response.js';
import { TransactionResponse } from '../transactions/transaction.response.js';
import { HouseholdExport } from './household-export.js';

const nullable = true;

class ExportQuery {
  @EnumField(['json', 'csv'], {
    default: 'json',
    description:
      '`csv` exports only the transactions, one row a split. Cells that a spreadsheet would take for a formula begin with an apostrophe.',
  })
  format!: 'json' | 'csv';
}

@ApiSchema({
  name: 'StreamHead',
  description: 'The last event of a household. Its hash reveals a changed history',
})
class HeadResponse extends ResponseOf({
  revision: Whole('-1 if there are no events', 17),
  hash: Text('SHA-256 in hexadecimal', null, { nullable }),
}) {}

@ApiSchema({ name: 'Export', description: 'A whole household' })
class ExportResponse extends ResponseOf({
  household_id: Id('The household'),
  currency: Currency('What the amounts are in, by the code of ISO 4217'),
  exported_at: At('When the export was created'),
  head: Part(HeadResponse, 'The last event included in the export'),
  groups: ListOf(GroupIdentityResponse, 'Every group of the household, past and present'),
  items: ListOf(ItemIdentityResponse, 'Every item of the household, past and present'),
  months: ListOf(MonthResponse, 'Oldest first'),
  transactions: ListOf(TransactionResponse, 'By id, including deleted ones'),
}) {}

@ApiTags('Export')
@Controller('export')
export class ExportController {
  constructor(private readonly exports: HouseholdExport) {}

  @Get()
  @ApiOperation({
    summary: 'Export the household',
    description: 'Exports the whole household as JSON, or its transactions as CSV. The response is streamed.',
  })
  @Access.scope(['budget:read', 'transactions:read'], { household: true })
  @ApiProduces('application/json', 'text/csv')
  @Describes({
    texts: {
      'text/csv':
        'A byte order mark, a header row, and one row for each split. A transaction without splits has one row with empty ' +
        '`group`, `item` and `split_amount`. Deleted transactions are included. Amounts are decimals of the currency, ' +
        'such as `12.50`. `group` is empty if the item has left the month.',
    },
  })
  @Answers(200, ExportResponse, 'The household', {
    'Content-Disposition': 'The file name: `household-ID.json` or `transactions-ID.csv`',
  })
  exportHousehold(
    @CurrentMembership() household: Membership,
    @Query() { format }: ExportQuery,
  ): Promise<StreamableFile> {
    const { householdId } = household;
    const isCsv = format === 'csv';
    const parts = isCsv ? this.exports.csv(household) : this.exports.json(household);
    return answerInParts(parts, {
      ...(isCsv && { type: 'text/csv; charset=utf-8' }),
      disposition: `attachment; filename="${isCsv ? 'transactions' : 'household'}-${householdId}.${format}"`,
    });
  }
}
