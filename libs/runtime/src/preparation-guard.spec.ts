import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExecutionContext } from '@nestjs/common';
import { pino } from 'pino';
import { toApiError } from '#http/error-filter';
import { PreparationGuard, Preparation } from './preparation.js';

describe(PreparationGuard.name, () => {
  const guard = new PreparationGuard(new Preparation(async () => undefined, pino({ level: 'silent' })));
  const asking = (url: string): ExecutionContext =>
    ({ switchToHttp: () => ({ getRequest: () => ({ url }) }) }) as unknown as ExecutionContext;

  it('lets health be asked for while the service starts', () => {
    assert.ok(guard.canActivate(asking('/health/ready')));
  });

  it('answers 503 to every call meanwhile, and takes no more of the log than a sentence for each', () => {
    let refusal: unknown = null;
    try {
      guard.canActivate(asking('/v1/me'));
    } catch (error) {
      refusal = error;
    }
    assert.equal(toApiError(refusal).status, 503);
    let log = '';
    pino({}, { write: line => (log += line) }).warn({ err: refusal }, 'store unavailable');
    assert.match(log, /"stack":"The service is starting\. Try again in a moment\."/);
  });
});
