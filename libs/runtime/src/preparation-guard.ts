import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { API_PREFIX } from '#http/openapi';
import { Preparation } from './preparation.js';

/** The service is still waiting for one of its servers. */
class NotPrepared extends Error {
  override readonly name = 'NotPrepared';
  /** Read by the HTTP layer: this failure answers `503 unavailable`. */
  readonly unavailable = true;

  constructor(message: string) {
    super(message);
    // For the log, which has a line of each: where it is thrown is known.
    this.stack = message;
  }
}

/** Answers 503 to every call of the API until everything that it needs was there once. */
@Injectable()
export class PreparationGuard implements CanActivate {
  constructor(private readonly preparation: Preparation) {}

  canActivate(context: ExecutionContext): boolean {
    const reason = this.preparation.waitsFor();
    if (reason === null) return true;
    const { url } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!url.startsWith(`/${API_PREFIX}/`)) return true;
    throw new NotPrepared('The service is starting. Try again in a moment.');
  }
}
