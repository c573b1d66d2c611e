import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { AccessGuard } from './access/guards.js';
import { RateLimiter } from './access/rate-limiter.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { ChangeMeHandler } from './accounts/change-me.js';
import { ChangePasswordHandler } from './accounts/change-password.js';
import { ConfirmEmailHandler } from './accounts/confirm-email.js';
import { DeleteMeHandler } from './accounts/delete-me.js';
import { GetMeHandler } from './accounts/get-me.js';
import { RequestEmailChangeHandler } from './accounts/request-email-change.js';
import { RequestLinkHandler } from './accounts/request-link.js';
import { ResetPasswordHandler } from './accounts/reset-password.js';
import { SignInHandler } from './accounts/sign-in.js';
import { SignUpHandler } from './accounts/sign-up.js';
import { VerifyEmailHandler } from './accounts/verify-email.js';
import { ChangeHouseholdHandler } from './households/change-household.js';
import { ChangeMemberHandler } from './households/change-member.js';
import { CreateHouseholdHandler } from './households/create-household.js';
import { DeleteHouseholdHandler } from './households/delete-household.js';
import { HouseholdsController } from './households/households.controller.js';
import { ListMembersHandler } from './households/list-members.js';
import { RemoveMemberHandler } from './households/remove-member.js';
import { IdentityServicesModule } from './identity-services.module.js';
import { AcceptInviteHandler } from './invites/accept-invite.js';
import { Invites } from './invites/invites.js';
import { DeclineInviteHandler } from './invites/decline-invite.js';
import { InvitesController } from './invites/invites.controller.js';
import { ListHouseholdInvitesHandler } from './invites/list-household-invites.js';
import { ListOwnInvitesHandler } from './invites/list-own-invites.js';
import { LookUpInviteHandler } from './invites/look-up-invite.js';
import { RevokeInviteHandler } from './invites/revoke-invite.js';
import { SendInviteHandler } from './invites/send-invite.js';
import { EndSessionHandler } from './sessions/end-session.js';
import { ListSessionsHandler } from './sessions/list-sessions.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { ChangeSettingsHandler } from './settings/change-settings.js';
import { GetSettingsHandler } from './settings/get-settings.js';
import { SettingsController } from './settings/settings.controller.js';
import { CreateTokenHandler } from './tokens/create-token.js';
import { DeleteTokenHandler } from './tokens/delete-token.js';
import { ListTokensHandler } from './tokens/list-tokens.js';
import { TokensController } from './tokens/tokens.controller.js';

const CONTROLLERS = [
  AccountsController,
  SessionsController,
  TokensController,
  SettingsController,
  HouseholdsController,
  InvitesController,
];

const HANDLERS = [
  SignUpHandler,
  RequestLinkHandler,
  VerifyEmailHandler,
  SignInHandler,
  ResetPasswordHandler,
  ChangePasswordHandler,
  RequestEmailChangeHandler,
  ConfirmEmailHandler,
  GetMeHandler,
  ChangeMeHandler,
  DeleteMeHandler,
  ListSessionsHandler,
  EndSessionHandler,
  CreateTokenHandler,
  ListTokensHandler,
  DeleteTokenHandler,
  GetSettingsHandler,
  ChangeSettingsHandler,
  CreateHouseholdHandler,
  ChangeHouseholdHandler,
  DeleteHouseholdHandler,
  ListMembersHandler,
  ChangeMemberHandler,
  RemoveMemberHandler,
  ListOwnInvitesHandler,
  ListHouseholdInvitesHandler,
  SendInviteHandler,
  RevokeInviteHandler,
  AcceptInviteHandler,
  DeclineInviteHandler,
  LookUpInviteHandler,
];

/** Routes of accounts and households, and the guard of every route. Needs what `IdentityServicesModule` needs. */
@Module({
  imports: [CqrsModule, IdentityServicesModule],
  controllers: CONTROLLERS,
  providers: [
    RateLimiter,
    AccessGuard,
    Invites,
    ...HANDLERS,
    { provide: APP_GUARD, useExisting: AccessGuard },
  ],
  exports: [AccessGuard, IdentityServicesModule],
})
export class IdentityModule {}
