import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '#http/api-error';
import { Households, membershipOf } from '../households/households.js';
import type { Membership } from './caller.js';
import { Credentials } from './credentials.js';

/** Looks again whether a request that is answered for long, such as a stream, may still be answered. */
@Injectable()
export class StandingAccess {
  constructor(
    private readonly credentials: Credentials,
    private readonly households: Households,
  ) {}

  /**
   * Makes again the checks that let the request in, its rate limit apart. Costs at most three reads of single
   * documents.
   * @returns the membership as it is now
   * @throws ApiError `unauthenticated`, `not_a_member`; DocumentsUnavailable
   */
  async confirm(request: FastifyRequest): Promise<Membership> {
    const { caller, membership } = request;
    if (caller === undefined || membership === undefined) throw new Error('this request had no membership');
    await this.credentials.authenticate(this.credentials.shownBy(request));
    const household = await this.households.find(membership.householdId);
    const present = household && membershipOf(household, caller.userId);
    if (present === null) throw new ApiError('not_a_member');
    return present;
  }
}
