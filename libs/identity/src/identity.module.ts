import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { AuthenticationGuard, MembershipGuard, RateLimitGuard, ScopeGuard } from './access/guards.js';
import { RateLimiter } from './access/rate-limiter.js';
import { IdentityServicesModule } from './identity-services.module.js';

/**
 * The accounts' and households' part of the API: routes, and the guards of every route of the process.
 *
 * Needs what `IdentityServicesModule` needs. The guards run in the order in which they are listed.
 */
@Module({
  imports: [CqrsModule, IdentityServicesModule],
  providers: [
    RateLimiter,
    AuthenticationGuard,
    RateLimitGuard,
    ScopeGuard,
    MembershipGuard,
    { provide: APP_GUARD, useExisting: AuthenticationGuard },
    { provide: APP_GUARD, useExisting: RateLimitGuard },
    { provide: APP_GUARD, useExisting: ScopeGuard },
    { provide: APP_GUARD, useExisting: MembershipGuard },
  ],
  exports: [AuthenticationGuard, RateLimitGuard, ScopeGuard, MembershipGuard, IdentityServicesModule],
})
export class IdentityModule {}
