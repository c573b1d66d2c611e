import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '#http/access';
import { Answers, Fails } from '#http/answers';
import { notFound } from '#http/api-error';
import { UlidParam } from '#http/path-params';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { EndSession } from './end-session.js';
import { ListSessions, SessionListResponse } from './list-sessions.js';
import { SessionCookie } from './session-cookie.js';

@ApiTags('Sessions')
@Controller('auth')
export class SessionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly sessionCookie: SessionCookie,
  ) {}

  @Post('sign-out')
  @ApiOperation({ summary: 'Sign out', description: 'Ends the current session.' })
  @Access.session()
  @Answers(204, undefined, 'The session has ended', {
    'Set-Cookie': 'Deletes the session cookie, if one was sent',
  })
  async signOut(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.commands.execute(new EndSession({ caller, sessionId: caller.credential.id }));
    this.sessionCookie.signOut(request, reply);
  }

  @Get('sessions')
  @ApiOperation({ summary: 'List the sessions', description: 'The caller’s sessions, newest first.' })
  @Access.session()
  @Answers(200, SessionListResponse, 'The sessions')
  async listSessions(@CurrentCaller() caller: Caller): Promise<SessionListResponse> {
    return this.queries.execute(new ListSessions(caller));
  }

  @Delete('sessions/:sessionId')
  @ApiOperation({ summary: 'End a session', description: 'Ends one of the caller’s sessions.' })
  @Access.session()
  @Answers(204, undefined, 'The session has ended')
  @Fails('not_found')
  async endSession(
    @UlidParam('sessionId', 'The id of the session, as in `GET /auth/sessions`') sessionId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    if (!(await this.commands.execute(new EndSession({ caller, sessionId })))) throw notFound('session');
  }
}
