import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { LeasedPartitions } from '#background/leased-partitions';
import { SoleOwner } from '#background/partitions';
import { checkpointName, ProjectionHost } from '#background/projection-host';
import { ReadGate } from '#budget/read-gate';
import type { Collection, Document } from '#documents/documents';
import { IDENTITY_COLLECTIONS } from '#identity/identity-services.module';
import { MAIL_QUEUE } from '#identity/mails/mail-duties';
import type { IdentityConfiguration } from '#identity/surroundings';
import { HouseholdStreams } from '#streams/household-streams';
import { FIRST_GENERATION, readModelsOf } from '#streams/read-models';
import { StateCache } from '#streams/state-cache';
import type { Configuration } from './configuration.js';
import { MeteredEventStore } from './metrics/metered-event-store.js';
import { ServiceMetrics } from './metrics/service-metrics.js';
import { Preparation } from './preparation.js';
import { openStores, type Stores } from './stores.js';

/** What a program does besides answering requests. */
export interface RuntimeRole {
  /** Follows the log and keeps the read models right. */
  readonly projects: boolean;
}

/** What runs below the HTTP layer: the stores, the streams of households, and the projections. */
export class LedgerRuntime {
  /** The server's own address once it listens; links lead there while `APP_URL` is not set. */
  serverUrl = '';

  private constructor(
    readonly configuration: Configuration,
    readonly stores: Stores,
    readonly streams: HouseholdStreams,
    /** Null where another process projects. */
    readonly projections: ProjectionHost | null,
    readonly metrics: ServiceMetrics,
    readonly preparation: Preparation,
  ) {}

  /**
   * Opens the stores and begins to project. Servers that are not up yet are waited for in the background;
   * `preparation` says what for.
   * @throws ConfigurationError, DatabaseRefused
   */
  static async start(
    configuration: Configuration,
    logger: Logger,
    role: RuntimeRole,
  ): Promise<LedgerRuntime> {
    const opened = await openStores(configuration, logger);
    const metrics = new ServiceMetrics();
    const stores = { ...opened, eventStore: new MeteredEventStore(opened.eventStore, metrics) };
    const models = readModelsOf(FIRST_GENERATION);
    const streams = new HouseholdStreams(
      stores.eventStore,
      stores.documents,
      models,
      new StateCache(),
      (household, error) => logger.warn({ household, err: error }, 'no snapshot was made'),
    );
    const projections = role.projects
      ? projectionHost(configuration, stores, streams, checkpointName(models), logger)
      : null;
    const preparation = new Preparation(async () => {
      await stores.documents.ensure([...HouseholdStreams.collections(models), ...OTHER_COLLECTIONS]);
      projections?.start();
    }, logger);
    try {
      await preparation.begin();
    } catch (error) {
      await stores.close();
      throw error;
    }
    const runtime = new LedgerRuntime(configuration, stores, streams, projections, metrics, preparation);
    metrics.watch(runtime, MAIL_QUEUE);
    return runtime;
  }

  get identityConfiguration(): IdentityConfiguration {
    const { allowedEmails, appUrl } = this.configuration;
    return { allowedEmails, appUrl: () => appUrl ?? this.serverUrl };
  }

  /** Until the projections have caught up after a start, a query brings its household up to date first. */
  get readGate(): ReadGate {
    const { configuration, projections, streams } = this;
    return {
      ready: householdId => {
        if (!projections || projections.isCaughtUp()) return undefined;
        // A household that cannot be read now is served as far as its documents go; the host reports it.
        return streams.load(householdId).then(
          () => undefined,
          () => undefined,
        );
      },
      version: householdId => (isSoleWriter(configuration) ? streams.versions.of(householdId) : null),
    };
  }

  /** Stops projecting, writes checkpoints and heads, and closes the stores. Call it when no request runs any more. */
  async stop(): Promise<void> {
    await this.preparation.stop();
    await this.projections?.stop();
    await this.streams.settle().catch(() => undefined);
    await this.stores.close();
  }
}

const OTHER_COLLECTIONS: readonly Collection<Document>[] = [
  ...IDENTITY_COLLECTIONS,
  ProjectionHost.checkpoints,
  ProjectionHost.failures,
  LeasedPartitions.leases,
  LeasedPartitions.workers,
];

/** The documents are in files that belong to this process alone. */
function isSoleWriter({ mongodbUrl }: Configuration): boolean {
  return mongodbUrl === null;
}

function projectionHost(
  configuration: Configuration,
  { eventStore, documents }: Stores,
  streams: HouseholdStreams,
  name: string,
  logger: Logger,
): ProjectionHost {
  const log = {
    info: (message: string, fields: object) => logger.info(fields, message),
    error: (message: string, fields: object) => logger.error(fields, message),
  };
  const owner = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const ownership = isSoleWriter(configuration)
    ? new SoleOwner()
    : new LeasedPartitions(documents, name, owner, log);
  return new ProjectionHost(eventStore, documents, streams, log, name, ownership);
}
