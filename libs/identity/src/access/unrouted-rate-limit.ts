import { callbackify } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Credentials } from './credentials.js';
import { RateLimitGuard } from './guards.js';

/**
 * The rate limit of calls to routes that do not exist: they count as well, and every answer to a personal
 * access token tells what is left. Guards run for routes only.
 */
@Injectable()
export class UnroutedRateLimit implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly credentials: Credentials,
    private readonly rateLimit: RateLimitGuard,
  ) {}

  onModuleInit(): void {
    const fastify = this.adapterHost.httpAdapter.getInstance<FastifyInstance>();
    const take = callbackify((request: FastifyRequest, reply: FastifyReply) => this.take(request, reply));
    // No promise for the calls that have a route, as nearly all do.
    fastify.addHook('onRequest', (request, reply, done) => {
      if (!request.is404 || request.headers.authorization === undefined) done();
      else take(request, reply, error => done(error ?? undefined));
    });
  }

  /** @throws ApiError `rate_limited`, DocumentsUnavailable */
  private async take(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // Nobody needs a credential to hear that there is no such route.
    const known = await this.credentials.recognise(this.credentials.shownBy(request));
    if (known !== null) this.rateLimit.take(known.caller, reply);
  }
}
