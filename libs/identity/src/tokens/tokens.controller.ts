import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '#http/access';
import { Answers, Fails } from '#http/answers';
import { UlidParam } from '#http/path-params';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { CreateToken, CreateTokenBody } from './create-token.js';
import { DeleteToken } from './delete-token.js';
import { ListTokens } from './list-tokens.js';
import { TokenResponse, TokenListResponse } from './tokens.js';

@ApiTags('Personal access tokens')
@Controller('tokens')
export class TokensController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Create a personal access token',
    description: 'Only this response contains the secret.',
  })
  @Access.session()
  @Answers(201, TokenResponse, 'The token with its secret')
  @Fails('conflict')
  async createToken(@Body() body: CreateTokenBody, @CurrentCaller() caller: Caller): Promise<TokenResponse> {
    return this.commands.execute(new CreateToken({ body, caller }));
  }

  @Get()
  @ApiOperation({
    summary: 'List the personal access tokens',
    description: 'The caller’s tokens without their secrets, newest first.',
  })
  @Access.session()
  @Answers(200, TokenListResponse, 'The tokens')
  async listTokens(@CurrentCaller() caller: Caller): Promise<TokenListResponse> {
    return this.queries.execute(new ListTokens(caller));
  }

  @Delete(':tokenId')
  @ApiOperation({
    summary: 'Revoke a personal access token',
    description: 'The next request with it is refused.',
  })
  @Access.session()
  @Answers(204, undefined, 'The token is revoked')
  @Fails('not_found')
  async revokeToken(
    @UlidParam('tokenId', 'The id of the token, as in `GET /tokens`; not its secret') tokenId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    await this.commands.execute(new DeleteToken({ caller, tokenId }));
  }
}
