import { Body, Controller, Delete, Get, Patch, Post, Put, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiSchema, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '#http/access';
import { Answers, Fails } from '#http/answers';
import { type Answer, Changes, RepeatableWrite } from '#http/repeatable-write';
import { CurrentCaller, CurrentKeyedCall, type Caller } from '../access/caller.js';
import { SessionCookie } from '../sessions/session-cookie.js';
import type { KeyedCall } from '../repeatable-changes.js';
import { ChangeMe, ChangeMeBody } from './change-me.js';
import { ChangePassword, ChangePasswordBody } from './change-password.js';
import { ConfirmEmail, ConfirmEmailBody } from './confirm-email.js';
import { DeleteMe, DeleteMeBody } from './delete-me.js';
import { GetMe } from './get-me.js';
import { MeResponse, SignedInResponse } from './profiles.js';
import { RequestEmailChange, RequestEmailChangeBody } from './request-email-change.js';
import { RequestLink, RequestPasswordResetBody, ResendVerificationBody } from './request-link.js';
import { ResetPassword, ResetPasswordBody } from './reset-password.js';
import { SignIn, SignInBody } from './sign-in.js';
import { SignUp, SignUpBody } from './sign-up.js';
import { VerifyEmail, VerifyEmailBody } from './verify-email.js';

/** The response to a stranger who requests a mail: it does not reveal whether the address is known. */
@ApiSchema({
  name: 'Accepted',
  description: 'Empty: the same for every address, whether it is new, unverified or taken',
})
class AcceptedResponse {}

const ACCEPTED: AcceptedResponse = {};
const SAME_FOR_ALL = 'Accepted; the response is the same for every address';
const WITH_COOKIE = {
  'Set-Cookie': 'The session cookie, if `client` is `web` and the call is not cross-origin',
};

@ApiTags('Accounts')
@Controller()
export class AccountsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly sessionCookie: SessionCookie,
  ) {}

  @Post('auth/password/sign-up')
  @ApiOperation({
    summary: 'Sign up',
    description:
      'Mails a verification link. If the address already has an account, the mail says so instead. The link is ' +
      'valid for 24 hours. You can request a new one for seven days.',
  })
  @Access.public({ tellsRate: true })
  @Answers(202, AcceptedResponse, SAME_FOR_ALL)
  async signUp(@Body() body: SignUpBody, @Req() request: FastifyRequest): Promise<AcceptedResponse> {
    await this.commands.execute(new SignUp({ body, networkAddress: request.ip }));
    return ACCEPTED;
  }

  @Post('auth/password/resend')
  @ApiOperation({
    summary: 'Mail a new verification link',
    description:
      'The new link replaces the previous one and is valid for 24 hours. You can request it for seven days after ' +
      'the sign-up or the latest link.',
  })
  @Access.public({ tellsRate: true })
  @Answers(202, AcceptedResponse, SAME_FOR_ALL)
  async resendVerification(
    @Body() { email }: ResendVerificationBody,
    @Req() request: FastifyRequest,
  ): Promise<AcceptedResponse> {
    await this.commands.execute(new RequestLink({ kind: 'resend', email, networkAddress: request.ip }));
    return ACCEPTED;
  }

  @Post('auth/password/verify')
  @ApiOperation({
    summary: 'Redeem a verification link and sign in',
    description: 'Creates the account and its personal household, if the address is admitted.',
  })
  @Access.public({ tellsRate: true })
  @Answers(200, SignedInResponse, 'The session’s token and the user', WITH_COOKIE)
  @Fails('invalid_link', 'not_invited')
  async verifyEmail(
    @Body() body: VerifyEmailBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignedInResponse> {
    const userAgent = request.headers['user-agent'];
    const answer = await this.commands.execute(new VerifyEmail({ body, userAgent }));
    this.sessionCookie.signIn(request, reply, body.client, answer.token);
    return answer;
  }

  @Post('auth/password/sign-in')
  @ApiOperation({ summary: 'Sign in with e-mail and password' })
  @Access.public({ tellsRate: true })
  @Answers(200, SignedInResponse, 'The session’s token and the user', WITH_COOKIE)
  @Fails('invalid_credentials', 'email_not_verified', 'not_invited', 'too_many_attempts')
  async signIn(
    @Body() body: SignInBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignedInResponse> {
    const { ip: networkAddress, headers } = request;
    const userAgent = headers['user-agent'];
    const answer = await this.commands.execute(new SignIn({ body, networkAddress, userAgent }));
    this.sessionCookie.signIn(request, reply, body.client, answer.token);
    return answer;
  }

  @Post('auth/password/forgot')
  @ApiOperation({
    summary: 'Request a password reset link',
    description: 'Mails the link, which is valid for an hour.',
  })
  @Access.public({ tellsRate: true })
  @Answers(202, AcceptedResponse, SAME_FOR_ALL)
  async requestPasswordReset(
    @Body() { email }: RequestPasswordResetBody,
    @Req() request: FastifyRequest,
  ): Promise<AcceptedResponse> {
    await this.commands.execute(new RequestLink({ kind: 'reset', email, networkAddress: request.ip }));
    return ACCEPTED;
  }

  @Post('auth/password/reset')
  @ApiOperation({
    summary: 'Set a new password with a mailed link',
    description: 'Ends every session of the user.',
  })
  @Access.public({ tellsRate: true })
  @Answers(204, undefined, 'The password has changed')
  @Fails('invalid_link')
  async resetPassword(@Body() body: ResetPasswordBody): Promise<void> {
    await this.commands.execute(new ResetPassword(body));
  }

  @Put('auth/password')
  @ApiOperation({ summary: 'Change the password', description: 'Ends every other session of the caller.' })
  @Access.session()
  @Answers(204, undefined, 'The password has changed')
  @Fails('invalid_credentials', 'too_many_attempts')
  async changePassword(
    @Body() body: ChangePasswordBody,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.commands.execute(new ChangePassword({ caller, body, networkAddress: request.ip }));
  }

  @Post('auth/email')
  @ApiOperation({
    summary: 'Request another e-mail address',
    description:
      'Mails a link to the new address, which is valid for 24 hours and works once, and a note to the present one. ' +
      'Another request, a changed or reset password, and the end of every present session make the link invalid.',
  })
  @Access.session()
  @Answers(202, AcceptedResponse, SAME_FOR_ALL)
  @Fails('invalid_credentials', 'too_many_attempts')
  async requestEmailChange(
    @Body() body: RequestEmailChangeBody,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<AcceptedResponse> {
    await this.commands.execute(new RequestEmailChange({ body, caller, networkAddress: request.ip }));
    return ACCEPTED;
  }

  @Post('auth/email/confirm')
  @ApiOperation({
    summary: 'Confirm the new e-mail address with a mailed link',
    description:
      'Sessions, tokens and memberships stay. The user signs in with the new address and gets its invites.',
  })
  @Access.public({ tellsRate: true })
  @Answers(204, undefined, 'The address has changed')
  @Fails('invalid_link')
  async confirmEmail(@Body() body: ConfirmEmailBody): Promise<void> {
    await this.commands.execute(new ConfirmEmail(body));
  }

  @Get('me')
  @ApiOperation({ summary: 'Read the caller and their households' })
  @Access.scope('account:read')
  @Answers(200, MeResponse, 'The caller and their households')
  async getMe(@CurrentCaller() caller: Caller): Promise<MeResponse> {
    return this.queries.execute(new GetMe(caller));
  }

  @Patch('me')
  @ApiOperation({ summary: 'Change the name or the default household' })
  @Access.scope('account:write')
  @Changes(MeResponse, 'The caller after the change')
  @RepeatableWrite()
  @Fails('not_a_member', 'conflict')
  async changeMe(
    @Body() body: ChangeMeBody,
    @CurrentKeyedCall() call: KeyedCall,
  ): Promise<Answer<MeResponse>> {
    return this.commands.execute(new ChangeMe({ call, body }));
  }

  @Delete('me')
  @ApiOperation({
    summary: 'Delete the account for good',
    description:
      'Deletes the account, its sessions, tokens and settings, and every household without another member. This cannot ' +
      'be undone. In other households the person stays in the history as “Former member”.',
  })
  @Access.session()
  @Answers(204, undefined, 'The account is gone', {
    'Set-Cookie': 'Deletes the session cookie of the account, if one was sent',
  })
  @Fails('invalid_credentials', 'too_many_attempts', 'last_owner')
  async deleteMe(
    @Body() body: DeleteMeBody,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.commands.execute(new DeleteMe({ body, caller, networkAddress: request.ip }));
    this.sessionCookie.signOut(request, reply);
  }
}
