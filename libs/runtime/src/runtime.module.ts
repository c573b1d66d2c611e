import {
  Global,
  Module,
  type CallHandler,
  type DynamicModule,
  type ExecutionContext,
  type NestInterceptor,
  type Provider,
} from '@nestjs/common';
import { APP_INTERCEPTOR, Reflector } from '@nestjs/core';
import { tap, type Observable } from 'rxjs';
import { DeclaredAccess } from '#http/access';
import { ReadGate } from '#budget/household-reads';
import { KeptPages } from '#budget/transactions/kept-pages';
import { Documents } from '#storage/documents/documents';
import { EventStore } from '#storage/event-store/event-store';
import { Randomness, SecretKey } from '#identity/secrets';
import { BudgetHistories, IdentityConfiguration } from '#identity/surroundings';
import { Clock } from '#concurrency/clock';
import { JobQueue } from '#storage/jobs/job-queue';
import { Mailer } from '#mail/mailer';
import { HouseholdCommands } from '#engine/commands/household-commands';
import { LiveStreams, type VersionWatch } from '#engine/versions/live-streams';
import type { LedgerRuntime } from './ledger-runtime.js';
import { isSoleWriter } from './stores.js';
import { MetricsController, ServiceMetrics } from './metrics.js';
import { tracedCommands } from './traced.js';
import { preparedJobQueue } from './preparation.js';

/**
 * Gives no answer about a household that was made of read models which others have left meanwhile: a process that
 * was paused in the middle of a request answers `503 unavailable` when it wakes, never what is stale.
 */
export class ConfirmedReadModels implements NestInterceptor {
  private readonly reflector = new Reflector();

  constructor(private readonly watch: VersionWatch) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (!this.reflector.get(DeclaredAccess, context.getHandler())?.household) return next.handle();
    const began = this.watch.current();
    return next.handle().pipe(tap(() => this.watch.confirm(began)));
  }
}

/** Gives every feature the stores and streams that the runtime opened. */
@Global()
@Module({})
export class RuntimeModule {
  static of(runtime: LedgerRuntime): DynamicModule {
    const { stores, streams, tracing, watch, configuration } = runtime;
    const providers: Provider[] = [
      { provide: EventStore, useValue: stores.eventStore },
      { provide: Documents, useValue: stores.documents },
      { provide: JobQueue, useValue: preparedJobQueue(stores.jobs, runtime.preparation.done) },
      { provide: Mailer, useValue: stores.mailer },
      { provide: LiveStreams, useValue: streams },
      {
        provide: HouseholdCommands,
        inject: [Clock, Randomness],
        useFactory: (clock: Clock, randomness: Randomness): HouseholdCommands => {
          const commands = new HouseholdCommands(stores.documents, streams, clock, randomness);
          return tracing ? tracedCommands(commands, tracing) : commands;
        },
      },
      { provide: ReadGate, useValue: runtime.readGate },
      { provide: KeptPages, useValue: runtime.pages },
      { provide: ServiceMetrics, useValue: runtime.metrics },
      { provide: SecretKey, useValue: new SecretKey(stores.secretKey) },
      { provide: Clock, useValue: Date },
      Randomness,
      { provide: BudgetHistories, useValue: runtime.budgets },
      { provide: IdentityConfiguration, useValue: runtime.identityConfiguration },
    ];
    // Other processes may replace the read models while this one answers; in a process that is alone, none does.
    const confirmation = { provide: APP_INTERCEPTOR, useValue: new ConfirmedReadModels(watch) };
    return {
      module: RuntimeModule,
      controllers: [MetricsController],
      providers: isSoleWriter(configuration) ? providers : [...providers, confirmation],
      exports: providers,
    };
  }
}
