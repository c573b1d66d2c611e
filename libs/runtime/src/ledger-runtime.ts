import type { Logger } from 'pino';
import { ProjectionHost } from '#background/projection-host';
import { ReadGate } from '#budget/read-gate';
import type { IdentityConfiguration } from '#identity/surroundings';
import { IDENTITY_COLLECTIONS } from '#identity/identity-services.module';
import { MAIL_QUEUE } from '#identity/mails/mail-duties';
import { HouseholdStreams } from '#streams/household-streams';
import { FIRST_GENERATION, readModelsOf } from '#streams/read-models';
import { StateCache } from '#streams/state-cache';
import type { Configuration } from './configuration.js';
import { MeteredEventStore } from './metrics/metered-event-store.js';
import { ServiceMetrics } from './metrics/service-metrics.js';
import { openStores, type Stores } from './stores.js';

/** What runs below the HTTP layer: the stores, the streams of households, and the projections. */
export class LedgerRuntime {
  /** The server's own address once it listens; links lead there while `APP_URL` is not set. */
  serverUrl = '';

  private constructor(
    readonly configuration: Configuration,
    readonly stores: Stores,
    readonly streams: HouseholdStreams,
    readonly projections: ProjectionHost,
    readonly metrics: ServiceMetrics,
  ) {}

  /** Opens the stores and starts to project. @throws ConfigurationError, DatabaseRefused */
  static async start(configuration: Configuration, logger: Logger): Promise<LedgerRuntime> {
    const opened = await openStores(configuration, logger);
    const metrics = new ServiceMetrics();
    const stores = { ...opened, eventStore: new MeteredEventStore(opened.eventStore, metrics) };
    const { documents, eventStore } = stores;
    const models = readModelsOf(FIRST_GENERATION);
    try {
      await documents.ensure([
        ...IDENTITY_COLLECTIONS,
        ...HouseholdStreams.collections(models),
        ProjectionHost.checkpoints,
        ProjectionHost.failures,
      ]);
    } catch (error) {
      await stores.close();
      throw error;
    }
    const streams = new HouseholdStreams(
      eventStore,
      documents,
      models,
      new StateCache(),
      (household, error) => logger.warn({ household, err: error }, 'no snapshot was made'),
    );
    const log = {
      info: (message: string, fields: object) => logger.info(fields, message),
      error: (message: string, fields: object) => logger.error(fields, message),
    };
    const projections = new ProjectionHost(eventStore, documents, streams, log, `g${models.generation}`);
    projections.start();
    const runtime = new LedgerRuntime(configuration, stores, streams, projections, metrics);
    metrics.watch(runtime, MAIL_QUEUE);
    return runtime;
  }

  get identityConfiguration(): IdentityConfiguration {
    const { allowedEmails, appUrl } = this.configuration;
    return { allowedEmails, appUrl: () => appUrl ?? this.serverUrl };
  }

  /** Until the projections have caught up after a start, a query brings its household up to date first. */
  get readGate(): ReadGate {
    const { projections, streams } = this;
    return {
      ready: householdId => {
        if (projections.isCaughtUp()) return undefined;
        // A household that cannot be read now is served as far as its documents go; the host reports it.
        return streams.load(householdId).then(
          () => undefined,
          () => undefined,
        );
      },
    };
  }

  /** Stops projecting, writes checkpoints and heads, and closes the stores. Call it when no request runs any more. */
  async stop(): Promise<void> {
    await this.projections.stop();
    await this.streams.settle().catch(() => undefined);
    await this.stores.close();
  }
}
