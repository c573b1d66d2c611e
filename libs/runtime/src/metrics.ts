import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type GaugeConfiguration,
} from 'prom-client';
import type { ProjectionHost } from '#engine/projector/projection-host';
import { FINDING_KINDS, type VerificationHost } from '#engine/verify/verification-host';
import { MAIL_QUEUE } from '#identity/mails/outbox-messages';
import { Access } from '#http/access';
import type { Answered } from '#http/request-log';
import type { JobQueue } from '#storage/jobs/job-queue';
import type { BackupSchedule } from './backup/backup-schedule.js';
import type { LiveStreams } from '#engine/versions/live-streams';
import {
  AppendTooLarge,
  EventStoreUnavailable,
  WrongExpectedRevision,
  type Appended,
  type EventStore,
} from '#storage/event-store/event-store';
import type { UnitOfWork } from '#storage/event-store/unit-of-work';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface Watched {
  readonly streams: LiveStreams;
  readonly projections: ProjectionHost | null;
  readonly verifications: VerificationHost | null;
  readonly backups: BackupSchedule | null;
  readonly stores: { readonly jobs: JobQueue };
}

/** What Prometheus is told at `/metrics`. Labels are bounded: route patterns, never addresses or ids. */
export class ServiceMetrics {
  readonly registry = new Registry();

  private readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request’s arrival to its answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [this.registry],
  });
  private readonly appends = new Histogram({
    name: 'event_store_append_duration_seconds',
    help: 'Time of appends to the event store, retries after unclear failures included',
    labelNames: ['outcome'],
    buckets: SECONDS,
    registers: [this.registry],
  });
  private readonly appendedEvents = new Counter({
    name: 'event_store_appended_events_total',
    help: 'Events that this process appended',
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** To be called with each answer. */
  readonly answered = ({ method, route, status, ms }: Answered): void => {
    this.requests.observe({ method, route: route ?? 'none', status: String(status) }, ms / 1000);
  };

  /** Measures an append, which may be the commit of a unit of work. */
  async append(events: number, append: () => Promise<Appended>): Promise<Appended> {
    const end = this.appends.startTimer();
    try {
      const appended = await append();
      end({ outcome: 'appended' });
      this.appendedEvents.inc(events);
      return appended;
    } catch (error) {
      end({ outcome: outcomeOf(error) });
      throw error;
    }
  }

  watch({ streams, projections, verifications, backups, stores }: Watched): void {
    const figure = (name: string, help: string, read: () => number): void =>
      this.gauge({ name, help }, gauge => gauge.set(read()));
    figure('household_cache_households', 'Households held in memory', () => streams.cacheSize().households);
    figure(
      'household_cache_bytes',
      'Estimated size of the households held in memory',
      () => streams.cacheSize().bytes,
    );
    if (projections) {
      const status = () => projections.status();
      figure('projection_caught_up', '1 while the projections follow the log live', () =>
        Number(status().caughtUp),
      );
      figure('projection_lag_seconds', 'Age of the oldest event that is not projected yet', () =>
        projections.lagSeconds(),
      );
      figure(
        'projection_failing_households',
        'Households whose events cannot be applied',
        () => status().failing.length,
      );
    }
    if (verifications) {
      const help = 'When the last verification of the whole ledger ended; 0 before the first';
      figure('verification_last_end_timestamp_seconds', help, () =>
        verifications.last ? Date.parse(verifications.last.endedAt) / 1_000 : 0,
      );
      const found = 'What the last verification of the whole ledger found wrong';
      this.gauge({ name: 'verification_findings', help: found, labelNames: ['kind'] }, gauge => {
        for (const kind of FINDING_KINDS) gauge.set({ kind }, verifications.last?.findings[kind] ?? 0);
      });
    }
    if (backups) figure('backup_age_seconds', 'Age of the latest scheduled backup', () => backups.ageSeconds);
    const help = 'Mails waiting, being sent, and given up';
    this.gauge({ name: 'mail_jobs', help, labelNames: ['state'] }, async gauge => {
      // A queue that does not answer leaves its last figures; readiness says what is wrong.
      const stats = await stores.jobs.stats(MAIL_QUEUE).catch(() => null);
      if (!stats) return;
      for (const state of ['pending', 'running', 'parked'] as const) gauge.set({ state }, stats[state]);
    });
  }

  /** Registers figures that are looked up when metrics are asked for. */
  private gauge(
    about: Pick<GaugeConfiguration<string>, 'name' | 'help' | 'labelNames'>,
    look: (gauge: Gauge) => void | Promise<void>,
  ): void {
    const gauge: Gauge = new Gauge({ ...about, registers: [this.registry], collect: () => look(gauge) });
  }
}

/** Metrics in Prometheus's text format. They name routes and counts, no household and no person. */
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: ServiceMetrics) {}

  @Get()
  @Access.public()
  async read(@Res() reply: FastifyReply): Promise<void> {
    const { registry } = this.metrics;
    await reply.header('Content-Type', registry.contentType).send(await registry.metrics());
  }
}

/** The same object, with other functions for some of its methods. */
export function withMethods<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(name in methods ? methods : target, name);
      return typeof value === 'function' && name !== 'constructor' ? value.bind(target) : value;
    },
  });
}

export function meteredEventStore(store: EventStore, metrics: ServiceMetrics): EventStore {
  return withMethods(store, {
    append: (stream, expected, events) =>
      metrics.append(events.length, () => store.append(stream, expected, events)),
  });
}

export function meteredUnitOfWork(work: UnitOfWork, metrics: ServiceMetrics): UnitOfWork {
  return { commit: each => metrics.append(each.events.length, () => work.commit(each)) };
}

/** `failed` by a fault of the service itself. */
function outcomeOf(error: unknown): string {
  if (error instanceof WrongExpectedRevision) return 'conflict';
  if (error instanceof EventStoreUnavailable) return 'unavailable';
  if (error instanceof AppendTooLarge) return 'refused';
  return 'failed';
}
