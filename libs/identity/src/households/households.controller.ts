import { Body, Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '#http/access';
import { Answers, Fails, Describes } from '#http/answers';
import { type Answer, Changes, Creates, Ends, RepeatableWrite } from '#http/repeatable-write';
import { CurrentCaller, CurrentKeyedCall, type Caller } from '../access/caller.js';
import { GetMe } from '../accounts/get-me.js';
import { OwnerOnly } from '../access/guards.js';
import { HouseholdIdParam, MemberIdParam } from '../path-params.js';
import type { KeyedCall } from '../repeatable-changes.js';
import { ChangeHousehold, ChangeHouseholdBody } from './change-household.js';
import { ChangeMember, ChangeMemberBody } from './change-member.js';
import { CreateHousehold, CreateHouseholdBody } from './create-household.js';
import { DeleteHousehold, DeleteHouseholdBody } from './delete-household.js';
import { HouseholdListResponse, HouseholdResponse } from './household.response.js';
import { ListMembers, MemberListResponse, MemberResponse } from './list-members.js';
import { RemoveMember } from './remove-member.js';

@ApiTags('Households')
@Controller('households')
export class HouseholdsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the households',
    description: 'All households of the caller, including archived ones. The personal one comes first.',
  })
  @Access.scope('households:read')
  @Answers(200, HouseholdListResponse, 'The households')
  async listHouseholds(@CurrentCaller() caller: Caller): Promise<HouseholdListResponse> {
    const { households } = await this.queries.execute(new GetMe(caller));
    return { households };
  }

  @Post()
  @ApiOperation({ summary: 'Create a household', description: 'The caller becomes its owner.' })
  @Access.scope('households:manage')
  @Creates(HouseholdResponse, 'The new household')
  @RepeatableWrite()
  @Fails('not_a_member', 'conflict')
  async createHousehold(
    @Body() body: CreateHouseholdBody,
    @CurrentKeyedCall() call: KeyedCall,
  ): Promise<Answer<HouseholdResponse>> {
    return this.commands.execute(new CreateHousehold({ call, body }));
  }

  @Patch(':householdId')
  @ApiOperation({ summary: 'Rename, archive or unarchive a household, or change its currency' })
  @Access.scope('households:manage', { household: true })
  @OwnerOnly()
  @Changes(HouseholdResponse, 'The household after the change')
  @RepeatableWrite()
  @Describes({ bodyExample: { name: 'Maple Street' } })
  @Fails('owner_required', 'personal_household', 'conflict')
  async changeHousehold(
    @HouseholdIdParam() householdId: string,
    @Body() body: ChangeHouseholdBody,
    @CurrentKeyedCall() call: KeyedCall,
  ): Promise<Answer<HouseholdResponse>> {
    return this.commands.execute(new ChangeHousehold({ call, householdId, body }));
  }

  @Delete(':householdId')
  @ApiOperation({
    summary: 'Delete a household for good',
    description:
      'Deletes its budget, history and invites everywhere. This cannot be undone. Its other members get a mail. A ' +
      'personal household goes with the account.',
  })
  @Access.session({ household: true })
  @OwnerOnly()
  @Answers(204, undefined, 'The household is gone')
  @Describes({ bodyExample: { name: 'Maple Street' } })
  @Fails('owner_required', 'personal_household')
  async deleteHousehold(
    @HouseholdIdParam() householdId: string,
    @Body() body: DeleteHouseholdBody,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    await this.commands.execute(new DeleteHousehold({ caller, householdId, body }));
  }

  @Get(':householdId/members')
  @ApiOperation({
    summary: 'List the members',
    description: 'In the order in which they joined the household.',
  })
  @Access.scope('households:read', { household: true })
  @Answers(200, MemberListResponse, 'The members')
  async listMembers(@HouseholdIdParam() householdId: string): Promise<MemberListResponse> {
    return this.queries.execute(new ListMembers({ householdId }));
  }

  @Patch(':householdId/members/:userId')
  @ApiOperation({ summary: 'Change a member’s role', description: 'Also in an archived household.' })
  @Access.scope('households:manage', { household: true })
  @OwnerOnly()
  @Changes(MemberResponse, 'The member with the new role')
  @RepeatableWrite()
  @Fails('owner_required', 'not_found', 'last_owner', 'conflict')
  async changeMember(
    @HouseholdIdParam() householdId: string,
    @MemberIdParam() memberId: string,
    @Body() body: ChangeMemberBody,
    @CurrentKeyedCall() call: KeyedCall,
  ): Promise<Answer<MemberResponse>> {
    return this.commands.execute(new ChangeMember({ body, call, householdId, memberId }));
  }

  @Delete(':householdId/members/:userId')
  @ApiOperation({
    summary: 'Remove a member, or leave',
    description: 'Also in an archived household. A second attempt to leave returns `not_a_member`.',
  })
  @Access.scope('households:manage', { household: true })
  @OwnerOnly('userId')
  @Ends('The member has been removed')
  @RepeatableWrite()
  @Fails('owner_required', 'not_found', 'last_owner', 'personal_household', 'conflict')
  async removeMember(
    @HouseholdIdParam() householdId: string,
    @MemberIdParam() memberId: string,
    @CurrentKeyedCall() call: KeyedCall,
  ): Promise<Answer<undefined>> {
    return this.commands.execute(new RemoveMember({ call, householdId, memberId }));
  }
}
