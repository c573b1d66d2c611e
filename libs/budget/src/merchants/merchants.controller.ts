import { Controller, Get, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '#http/access';
import { Answers } from '#http/answers';
import { ULID_EXAMPLE } from '#http/fields';
import { CurrentMembership, type Membership } from '#identity/access/caller';
import { ListMerchants, merchantsJson } from './list-merchants.js';

@ApiSchema({ name: 'MerchantMap' })
class MerchantsResponse {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'For each merchant, spelt as last used, the item that its spending last went to',
    example: { Costco: ULID_EXAMPLE },
  })
  readonly merchants!: Readonly<Record<string, string>>;
}

@ApiTags('Merchants')
@Controller('merchants')
export class MerchantsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ApiOperation({
    summary: 'Read which item each merchant’s spending last went to',
    description:
      'Merchants are compared without regard to letter case. The item is that of the largest split of the ' +
      'transaction that last got splits with the merchant. Items that are in no month are left out.',
  })
  @Access.scope('transactions:read', { household: true })
  @Answers(200, MerchantsResponse)
  async list(
    @CurrentMembership() { householdId }: Membership,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const merchants = await this.queries.execute(new ListMerchants(householdId));
    void reply.type('application/json; charset=utf-8');
    return merchantsJson(merchants);
  }
}
