import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { tap, type Observable } from 'rxjs';
import { accessOf } from '#http/access';
import type { VersionWatch } from '#engine/versions/live-streams';

/**
 * Gives no answer about a household that was made of read models which others have left meanwhile: a process that
 * was paused in the middle of a request answers `503 unavailable` when it wakes, never what is stale.
 */
export class ConfirmedReadModels implements NestInterceptor {
  constructor(private readonly watch: VersionWatch) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (accessOf(context)?.household !== true) return next.handle();
    const began = this.watch.current();
    return next.handle().pipe(tap(() => this.watch.confirm(began)));
  }
}
