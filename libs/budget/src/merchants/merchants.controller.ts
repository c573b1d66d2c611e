import { Controller, Get, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '#http/access';
import { Answers } from '#http/answers';
import { ULID_EXAMPLE } from '#http/field-rules';
import { ResponseOf } from '#http/response-fields';
import { CurrentMembership, type Membership } from '#identity/access/caller';
import { ListMerchants, merchantsJson } from './list-merchants.js';

@ApiSchema({ name: 'MerchantMap' })
class MerchantsResponse extends ResponseOf({
  merchants: ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'For each merchant, spelt as last used, the id of the item that its spending last went to',
    example: { Costco: ULID_EXAMPLE },
  }),
}) {}

@ApiTags('Merchants')
@Controller('merchants')
export class MerchantsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ApiOperation({
    summary: 'List the item that each merchant’s spending last went to',
    description:
      'Takes the merchant’s transaction that last received splits, and the item of its largest split. Ignores the ' +
      'letter case of merchants, and omits items that are in no month.',
  })
  @Access.scope('transactions:read', { household: true })
  @Answers(200, MerchantsResponse, 'The merchants with their items')
  async listMerchants(
    @CurrentMembership() { householdId }: Membership,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const merchants = await this.queries.execute(new ListMerchants(householdId));
    void reply.type('application/json; charset=utf-8');
    return merchantsJson(merchants);
  }
}
