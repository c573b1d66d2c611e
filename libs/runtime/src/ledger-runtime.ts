import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { HouseholdErasure } from '#engine/erasure/household-erasure';
import type { BackgroundLog } from '#engine/projector/background-log';
import { LeasedPartitions } from '#engine/projector/leased-partitions';
import { SoleOwner } from '#engine/projector/partitions';
import { PROJECTION_NAME, ProjectionHost, type BatchEnclosure } from '#engine/projector/projection-host';
import { RebuildHost } from '#engine/rebuild/rebuild-host';
import { VerificationHost } from '#engine/verify/verification-host';
import { PROJECTION_COLLECTIONS } from '#engine/projector/projection-collections';
import type { RebuildWorkplace } from '#engine/rebuild/rebuild';
import { ReadGate } from '#budget/read-gate';
import { KeptPages } from '#budget/transactions/kept-pages';
import type { Collection, Document, Documents } from '#storage/documents/documents';
import type { UnitOfWork } from '#storage/event-store/unit-of-work';
import type { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { recordCurrencies } from '#identity/households/household-currencies';
import { chainMembershipLogs, membershipFindings } from '#identity/households/membership-chain';
import { sharedMailboxes } from '#identity/accounts/accounts';
import { IDENTITY_COLLECTIONS } from '#identity/identity-services.module';
import type { BudgetHistories } from '#identity/households/budget-histories';
import { MAIL_QUEUE } from '#identity/mails/mail-duties';
import type { IdentityConfiguration } from '#identity/surroundings';
import { readActiveVersion } from '#engine/versions/active-version';
import { VersionWatch } from '#engine/versions/version-watch';
import { LiveStreams, type LiveStreamsOptions } from '#engine/versions/live-streams';
import { takeOverFormerMerchants } from '#engine/households/former-merchants';
import { hasEvents } from '#engine/households/household-stream';
import { dropFormerSnapshots } from '#engine/households/snapshots';
import { BackupSchedule } from './backup/backup-schedule.js';
import { closeAll, closeAllAfterFailure, type Closing } from './closing.js';
import type { Configuration } from './configuration.js';
import { MeteredEventStore, MeteredUnitOfWork, ServiceMetrics } from './metrics/service-metrics.js';
import { OperatorSocket } from './operator-socket.js';
import { Preparation } from './preparation.js';
import { processName } from './process-name.js';
import { identityWorkOn, type IdentityWork } from './identity-work.js';
import { fieldsLast } from './log.js';
import { refuseLostEvents } from './lost-files.js';
import { hasEmbeddedStore, isSoleWriter, openStores, type Stores } from './stores.js';
import { TracedDocuments } from './tracing/traced-documents.js';
import { TracedEventStore, TracedUnitOfWork } from './tracing/traced-event-store.js';
import type { Tracing } from './tracing/tracing.js';

/** How often it is checked whether work that began by an older active version has ended. */
const CONFIRM_POLL_MS = 20;

/** What a program does besides answering requests. */
export interface RuntimeRole {
  /** Follows the log and keeps the read models right. */
  readonly projects: boolean;
  /** Serves the web app. */
  readonly servesWeb?: boolean;
}

/** What runs below the HTTP layer: the stores, the streams of households, and the projections. */
export class LedgerRuntime {
  /** The server's own address once it listens; links lead there while `APP_URL` is not set. */
  get serverUrl(): string {
    return this.address.url;
  }

  set serverUrl(url: string) {
    this.address.url = url;
  }

  private constructor(
    readonly configuration: Configuration,
    readonly stores: Stores,
    readonly streams: LiveStreams,
    readonly pages: KeptPages,
    readonly budgets: BudgetHistories,
    readonly identityWork: IdentityWork,
    readonly watch: VersionWatch,
    /** Null where another process projects. */
    readonly projections: ProjectionHost | null,
    /** Null where another process projects, or `VERIFY_EVERY` switches it off. */
    readonly verifications: VerificationHost | null,
    /** Null where none are scheduled. */
    readonly backups: BackupSchedule | null,
    readonly metrics: ServiceMetrics,
    readonly preparation: Preparation,
    private readonly address: { url: string },
    /** Null where no collector is named. */
    readonly tracing: Tracing | null,
    /** Of everything that was opened and begun, the last first. */
    private readonly closings: readonly Closing[],
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
    const closings: Closing[] = [];
    try {
      return await LedgerRuntime.open(configuration, logger, role, closings);
    } catch (error) {
      await closeAllAfterFailure(closings, logger);
      throw error;
    }
  }

  /** As `start`. @param closings how to close what is open, the last first, also when this throws */
  private static async open(
    configuration: Configuration,
    logger: Logger,
    role: RuntimeRole,
    closings: Closing[],
  ): Promise<LedgerRuntime> {
    const owner = processName();
    const tracing = await openTracing(configuration, owner, logger);
    // Closed last: a collector that is away takes no time from what must not be lost.
    if (tracing) closings.unshift(() => tracing.stop());
    const opened = await openStores(configuration, logger);
    closings.unshift(() => opened.close());
    const log = fieldsLast(logger);
    const metrics = new ServiceMetrics();
    const stores = observed(opened, metrics, tracing);
    const shared = !isSoleWriter(configuration);
    const watch = new VersionWatch(stores.documents, { owner, shared, log });
    // Where other processes write households too, none may be kept.
    const pages = new KeptPages(shared ? 0 : undefined);
    const work = unitOfWork(opened.database, configuration, metrics, tracing);
    const streams = liveStreams(stores, { watch, pages, shared, logger, work });
    const budgets = budgetsOf(stores, streams, pages);
    closings.unshift(() => streams.stop());
    const projections = role.projects ? projectionHost(shared, stores, streams, owner, log, tracing) : null;
    const place = { ...rebuildWorkplace(stores, shared, watch, log), onWritten: streams.onWritten };
    const rebuilds = role.projects ? new RebuildHost(place, owner) : null;
    const address = { url: '' };
    const identity = identityOf(configuration, () => address.url);
    const identityWork = identityWorkOn(stores, budgets, identity);
    const verifications = projections && verificationHost(configuration, stores, projections, owner, log);
    const backups = configuration.backups && new BackupSchedule(configuration, configuration.backups, log);
    for (const host of [projections, rebuilds, verifications, backups])
      if (host) closings.unshift(() => host.stop());
    const preparation = new Preparation(async () => {
      await prepareRecords(configuration, stores, logger);
      await streams.start();
      await identityWork.erasures.finishAll();
      if (projections) {
        await takeOverFormer(stores.documents);
        projections.start();
        verifications?.start();
      }
      if (rebuilds) {
        rebuilds.start();
        if (hasEmbeddedStore(configuration))
          closings.unshift(await listenForOperators(configuration, stores, { rebuilds, identityWork, log }));
      }
      backups?.start();
    }, logger);
    closings.unshift(() => preparation.stop());
    await preparation.begin();
    const runtime = new LedgerRuntime(
      configuration,
      stores,
      streams,
      pages,
      budgets,
      identityWork,
      watch,
      projections,
      verifications,
      backups,
      metrics,
      preparation,
      address,
      tracing,
      closings,
    );
    metrics.watch(runtime, MAIL_QUEUE);
    return runtime;
  }

  get identityConfiguration(): IdentityConfiguration {
    return identityOf(this.configuration, () => this.address.url);
  }

  /** Until the projections have caught up after a start, a query brings its household up to date first. */
  get readGate(): ReadGate {
    const { projections, streams } = this;
    return {
      ready: householdId => {
        if (!projections || projections.isCaughtUp()) return undefined;
        // A household that cannot be read now is served as far as its documents go; the host reports it.
        return streams.load(householdId).then(
          () => undefined,
          () => undefined,
        );
      },
    };
  }

  /** Stops projecting, writes checkpoints and heads, and closes the stores. Call it when no request runs any more. */
  stop(): Promise<void> {
    return closeAll(this.closings);
  }
}

/** @returns how to stop */
async function listenForOperators(
  { dataDirectory }: Configuration,
  { documents }: Stores,
  {
    rebuilds,
    identityWork,
    log,
  }: {
    readonly rebuilds: RebuildHost;
    readonly identityWork: IdentityWork;
    readonly log: BackgroundLog;
  },
): Promise<Closing> {
  const socket = await OperatorSocket.listen(dataDirectory, documents, log, {
    announce: command => rebuilds.take(command),
    administer: request => identityWork.administration.carryOut(request),
  });
  return () => socket.close();
}

/** Brings what former releases kept of households into the present form. */
async function takeOverFormer(documents: Documents): Promise<void> {
  await dropFormerSnapshots(documents);
  await takeOverFormerMerchants(documents, await readActiveVersion(documents));
}

/** Every collection of the service except the read models, which the active version names. */
export const SERVICE_COLLECTIONS: readonly Collection<Document>[] = [
  ...IDENTITY_COLLECTIONS,
  ...PROJECTION_COLLECTIONS,
];

/** Brings what earlier versions recorded into the form of this one. @throws ConfigurationError for lost events */
async function prepareRecords(configuration: Configuration, stores: Stores, logger: Logger): Promise<void> {
  const { documents } = stores;
  await documents.ensure(SERVICE_COLLECTIONS);
  await refuseLostEvents(configuration, stores);
  await recordCurrencies(documents, configuration.defaultCurrency);
  await chainMembershipLogs(documents);
  await reportSharedMailboxes(stores, logger);
}

/** Accounts that were made before all spellings of a domain counted as one. */
async function reportSharedMailboxes({ documents }: Stores, logger: Logger): Promise<void> {
  for (const users of await sharedMailboxes(documents)) {
    logger.warn(
      { users },
      'accounts share one mailbox: each answers to the spelling of the address that it was made with, any other spelling reaches the first',
    );
  }
}

/** OpenTelemetry is loaded where a collector is named only: nobody else waits for its modules. */
async function openTracing(
  { otlpEndpoint: endpoint }: Configuration,
  instance: string,
  logger: Logger,
): Promise<Tracing | null> {
  if (endpoint === null) return null;
  const { OpenTelemetryTracing } = await import('./tracing/open-telemetry.js');
  return OpenTelemetryTracing.start({ endpoint, instance, logger });
}

/** The stores, counted and, where a collector is named, traced. */
function observed(opened: Stores, metrics: ServiceMetrics, tracing: Tracing | null): Stores {
  const eventStore = new MeteredEventStore(opened.eventStore, metrics);
  if (!tracing) return { ...opened, eventStore };
  return {
    ...opened,
    eventStore: new TracedEventStore(eventStore, tracing),
    documents: new TracedDocuments(opened.documents, tracing),
  };
}

function identityOf(
  { allowedEmails, defaultCurrency, appUrl }: Configuration,
  serverUrl: () => string,
): IdentityConfiguration {
  return { allowedEmails, defaultCurrency, appUrl: () => appUrl ?? serverUrl() };
}

function budgetsOf(
  { eventStore, documents }: Stores,
  streams: LiveStreams,
  pages: KeptPages,
): BudgetHistories {
  const erasure = new HouseholdErasure(eventStore, documents, streams);
  return {
    hasEvents: householdId => hasEvents(eventStore, householdId),
    erase: async householdId => {
      await erasure.erase(householdId);
      pages.forget(householdId);
    },
  };
}

function liveStreams(
  { eventStore, documents }: Stores,
  {
    watch,
    pages,
    shared,
    logger,
    work,
  }: {
    readonly watch: VersionWatch;
    readonly pages: KeptPages;
    readonly shared: boolean;
    readonly logger: Logger;
    readonly work: UnitOfWork | undefined;
  },
): LiveStreams {
  const options: LiveStreamsOptions = {
    shared,
    ...(work && { unitOfWork: work }),
    onWritten: household => void erasure.removeIfErased(household),
    onChange: pages.forget,
    onSnapshotFailure: (household, error) =>
      logger.warn({ household, err: error }, 'a snapshot could not be saved'),
    onBesideFailure: (household, error) =>
      logger.error({ household, err: error }, 'the read models that are being rebuilt could not be written'),
  };
  const streams = new LiveStreams(eventStore, documents, watch, options);
  const erasure = new HouseholdErasure(eventStore, documents, streams);
  return streams;
}

/** One transaction where one database holds events and documents; undefined elsewhere. */
function unitOfWork(
  database: LedgerDatabase | null,
  { eventStoreUrl, mongodbUrl }: Configuration,
  metrics: ServiceMetrics,
  tracing: Tracing | null,
): UnitOfWork | undefined {
  if (database === null || eventStoreUrl !== null || mongodbUrl !== null) return undefined;
  const metered = new MeteredUnitOfWork(database, metrics);
  return tracing ? new TracedUnitOfWork(metered, tracing) : metered;
}

function projectionHost(
  shared: boolean,
  { eventStore, documents }: Stores,
  streams: LiveStreams,
  owner: string,
  log: BackgroundLog,
  tracing: Tracing | null,
): ProjectionHost {
  const name = PROJECTION_NAME;
  const ownership = shared ? new LeasedPartitions(documents, name, owner, log) : new SoleOwner();
  const options = { log, name, ownership };
  if (tracing === null) return new ProjectionHost(eventStore, documents, streams, options);
  const enclose: BatchEnclosure = (events, work) =>
    tracing.root('project events', { 'ledger.events': events }, work);
  return new ProjectionHost(eventStore, documents, streams, { ...options, enclose });
}

function verificationHost(
  { verifyEveryMs: everyMs }: Configuration,
  { eventStore: store, documents }: Stores,
  projections: ProjectionHost,
  owner: string,
  log: BackgroundLog,
): VerificationHost | null {
  if (everyMs === null) return null;
  const isCaughtUp = (): boolean => projections.isCaughtUp();
  const place = {
    store,
    documents,
    log,
    isCaughtUp,
    membershipFindings: () => membershipFindings(documents),
  };
  return new VerificationHost(place, { owner, everyMs });
}

function rebuildWorkplace(
  { eventStore, documents }: Stores,
  shared: boolean,
  watch: VersionWatch,
  log: BackgroundLog,
): RebuildWorkplace {
  const confirm = async (revision: number): Promise<void> => {
    await watch.look();
    while (watch.actedRevision() < revision) await pause(CONFIRM_POLL_MS);
  };
  return { store: eventStore, documents, shared, confirm, projectionName: PROJECTION_NAME, log };
}
