import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '#http/access';
import { Answers, Fails } from '#http/answers';
import { type Answer, Changes, Creates, Ends, RepeatableWrite } from '#http/repeatable-write';
import { CurrentCaller, CurrentKeyedCall, type Caller } from '../access/caller.js';
import { HouseholdResponse } from '../households/household.response.js';
import { HouseholdIdParam, InviteIdParam } from '../path-params.js';
import type { KeyedCall } from '../repeatable-changes.js';
import { AcceptInvite } from './accept-invite.js';
import { DeclineInvite } from './decline-invite.js';
import { InviteResponse, InviteListResponse } from './invites.js';
import { ListHouseholdInvites } from './list-household-invites.js';
import { ListOwnInvites } from './list-own-invites.js';
import { LookUpInvite, LookUpInviteQuery, LookedUpInviteResponse } from './look-up-invite.js';
import { RevokeInvite } from './revoke-invite.js';
import { SendInvite, SendInviteBody } from './send-invite.js';

@ApiTags('Invites')
@Controller()
export class InvitesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('invites')
  @ApiOperation({
    summary: 'List the caller’s invites',
    description: 'Pending invites for the caller’s e-mail address, oldest first.',
  })
  @Access.scope('households:read')
  @Answers(200, InviteListResponse, 'The pending invites')
  async listOwnInvites(@CurrentCaller() caller: Caller): Promise<InviteListResponse> {
    return this.queries.execute(new ListOwnInvites(caller));
  }

  @Get('invites/lookup')
  @ApiOperation({
    summary: 'Look up an invite by its link',
    description: 'For the page that the link opens. No account is needed.',
  })
  @Access.public({ tellsRate: true })
  @Answers(200, LookedUpInviteResponse, 'The invite')
  @Fails('invalid_link')
  async lookUpInvite(@Query() query: LookUpInviteQuery): Promise<LookedUpInviteResponse> {
    return this.queries.execute(new LookUpInvite(query));
  }

  @Post('invites/:inviteId/accept')
  @ApiOperation({
    summary: 'Accept an invite',
    description:
      'The caller joins the household. It becomes their default household if the former one is personal and nothing ' +
      'was ever recorded in it.',
  })
  @Access.scope('households:manage')
  @Changes(HouseholdResponse, 'The household that the caller joined')
  @RepeatableWrite()
  @Fails('not_found', 'invite_not_pending', 'already_a_member', 'conflict')
  async acceptInvite(
    @InviteIdParam() inviteId: string,
    @CurrentKeyedCall() call: KeyedCall,
  ): Promise<Answer<HouseholdResponse>> {
    return this.commands.execute(new AcceptInvite({ call, inviteId }));
  }

  @Post('invites/:inviteId/decline')
  @ApiOperation({ summary: 'Decline an invite' })
  @Access.scope('households:manage')
  @Ends('The invite is declined')
  @RepeatableWrite()
  @Fails('not_found', 'invite_not_pending', 'conflict')
  async declineInvite(
    @InviteIdParam() inviteId: string,
    @CurrentKeyedCall() call: KeyedCall,
  ): Promise<Answer<undefined>> {
    return this.commands.execute(new DeclineInvite({ call, inviteId }));
  }

  @Get('households/:householdId/invites')
  @ApiOperation({
    summary: 'List a household’s invites',
    description: 'Pending invites with their links, oldest first.',
  })
  @Access.scope('households:read', { household: true })
  @Answers(200, InviteListResponse, 'The pending invites')
  async listHouseholdInvites(@HouseholdIdParam() householdId: string): Promise<InviteListResponse> {
    return this.queries.execute(new ListHouseholdInvites({ householdId }));
  }

  @Post('households/:householdId/invites')
  @ApiOperation({
    summary: 'Invite a person by e-mail',
    description: 'Any member may send invites. A new invite replaces a pending one for the same address.',
  })
  @Access.scope('households:manage', { household: true })
  @Creates(InviteResponse, 'The new invite')
  @RepeatableWrite()
  @Fails('already_a_member', 'conflict')
  async sendInvite(
    @HouseholdIdParam() householdId: string,
    @Body() body: SendInviteBody,
    @CurrentKeyedCall() call: KeyedCall,
  ): Promise<Answer<InviteResponse>> {
    return this.commands.execute(new SendInvite({ call, householdId, body }));
  }

  @Delete('households/:householdId/invites/:inviteId')
  @ApiOperation({ summary: 'Revoke an invite', description: 'A revoked invite cannot be accepted.' })
  @Access.scope('households:manage', { household: true })
  @Ends('The invite is revoked')
  @RepeatableWrite()
  @Fails('not_found', 'invite_not_pending', 'conflict')
  async revokeInvite(
    @HouseholdIdParam() householdId: string,
    @InviteIdParam() inviteId: string,
    @CurrentKeyedCall() call: KeyedCall,
  ): Promise<Answer<undefined>> {
    return this.commands.execute(new RevokeInvite({ call, householdId, inviteId }));
  }
}
