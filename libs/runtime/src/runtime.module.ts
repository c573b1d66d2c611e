import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { ReadGate } from '#budget/household-reads';
import { KeptPages } from '#budget/transactions/kept-pages';
import { Documents } from '#storage/documents/documents';
import { EventStore } from '#storage/event-store/event-store';
import { BudgetHistories, IdentityConfiguration, Randomness, SecretKey } from '#identity/surroundings';
import { Clock, SystemClock } from '#concurrency/clock';
import { JobQueue } from '#storage/jobs/job-queue';
import { Mailer } from '#mail/mailer';
import { HouseholdCommands } from '#engine/commands/household-commands';
import { LiveStreams } from '#engine/versions/live-streams';
import { ConfirmedReadModels } from './confirmed-read-models.js';
import type { LedgerRuntime } from './ledger-runtime.js';
import { isSoleWriter } from './stores.js';
import { MetricsController, ServiceMetrics } from './metrics.js';
import { tracedCommands } from './traced.js';
import { Preparation, preparedJobQueue, PreparationGuard } from './preparation.js';

/** Runs before the guards of other modules, because this module is the first of every application. */
const GUARD: Provider = { provide: APP_GUARD, useExisting: PreparationGuard };

/** Other processes may replace the read models while this one answers; in a process that is alone, none does. */
function confirmation({ watch, configuration }: LedgerRuntime): Provider[] {
  if (isSoleWriter(configuration)) return [];
  return [{ provide: APP_INTERCEPTOR, useValue: new ConfirmedReadModels(watch) }];
}

/** Commands, which show in traces where a collector is named. */
function commandsOf(
  { stores: { documents }, streams, tracing }: LedgerRuntime,
  clock: Clock,
  randomness: Randomness,
): HouseholdCommands {
  const commands = new HouseholdCommands(documents, streams, clock, randomness);
  return tracing ? tracedCommands(commands, tracing) : commands;
}

/** Gives every feature the stores and streams that the runtime opened. */
@Global()
@Module({})
export class RuntimeModule {
  static of(runtime: LedgerRuntime): DynamicModule {
    const { stores } = runtime;
    const providers: Provider[] = [
      { provide: EventStore, useValue: stores.eventStore },
      { provide: Documents, useValue: stores.documents },
      { provide: JobQueue, useValue: preparedJobQueue(stores.jobs, runtime.preparation.done) },
      { provide: Mailer, useValue: stores.mailer },
      { provide: LiveStreams, useValue: runtime.streams },
      {
        provide: HouseholdCommands,
        inject: [Clock, Randomness],
        useFactory: (clock: Clock, randomness: Randomness): HouseholdCommands =>
          commandsOf(runtime, clock, randomness),
      },
      { provide: ReadGate, useValue: runtime.readGate },
      { provide: KeptPages, useValue: runtime.pages },
      { provide: Preparation, useValue: runtime.preparation },
      { provide: ServiceMetrics, useValue: runtime.metrics },
      { provide: SecretKey, useValue: new SecretKey(stores.secretKey) },
      { provide: Clock, useValue: new SystemClock() },
      Randomness,
      {
        provide: BudgetHistories,
        useValue: runtime.budgets,
      },
      { provide: IdentityConfiguration, useValue: runtime.identityConfiguration },
    ];
    return {
      module: RuntimeModule,
      controllers: [MetricsController],
      providers: [...providers, PreparationGuard, GUARD, ...confirmation(runtime)],
      exports: providers,
    };
  }
}
