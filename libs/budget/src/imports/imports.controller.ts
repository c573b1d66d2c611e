import { Controller, Post, Query, type StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '#http/access';
import { answerInParts } from '#http/answer-in-parts';
import { Answers, Fails } from '#http/answers';
import { FileBytes, TakesFile } from '#http/request-reader';
import { CurrentMembership, type Membership } from '#identity/access/caller';
import { ImportPreviewResponse } from './import-preview.response.js';
import { ImportQuery } from './import-query.js';
import { PreviewImport } from './preview-import.js';

/** A statement of a bank, whatever a client calls it. */
const STATEMENT = {
  types: [
    'text/csv',
    'text/plain',
    'application/x-ofx',
    'application/vnd.intu.qfx',
    'application/qif',
    'application/xml',
    'text/xml',
    'application/octet-stream',
  ],
  bytesMax: 8 * 1024 * 1024,
};

@ApiTags('Imports')
@Controller('imports')
export class ImportsController {
  constructor(private readonly queries: QueryBus) {}

  @Post('preview')
  @ApiOperation({
    summary: 'Preview an import',
    description:
      'Reads a statement: CSV (also the registers that YNAB and Actual export, and the export of this service), OFX, ' +
      'QFX, QIF or CAMT.053. Records nothing. The content decides the format, unless parameters do. Send the ' +
      'operations of the rows that you want to a batch: their ids follow from the rows, so that importing a row ' +
      'again records nothing.',
  })
  @Access.scope('transactions:read', { household: true })
  @TakesFile(STATEMENT, 'The file as it is: at most 8 MiB and 20,000 rows')
  @Answers(200, ImportPreviewResponse, 'The rows of the file, and what would record them')
  @Fails('import_unreadable')
  async previewImport(
    @CurrentMembership() membership: Membership,
    @Query() query: ImportQuery,
    @FileBytes() bytes: Uint8Array,
  ): Promise<StreamableFile> {
    return answerInParts(await this.queries.execute(new PreviewImport(membership, bytes, query)));
  }
}
