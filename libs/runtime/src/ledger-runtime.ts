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
import { Erasures } from '#storage/documents/erasures';
import type { UnitOfWork } from '#storage/event-store/unit-of-work';
import type { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { recordCurrencies } from '#identity/households/households';
import { chainMembershipLogs, membershipFindings } from '#identity/households/membership-chain';
import { sharedMailboxes } from '#identity/accounts/accounts';
import { IDENTITY_COLLECTIONS } from '#identity/identity-services.module';
import type { BudgetHistories, IdentityConfiguration } from '#identity/surroundings';
import { MAIL_QUEUE } from '#identity/mails/outbox-messages';
import { readActiveVersion } from '#engine/versions/active-version';
import { VersionWatch, LiveStreams } from '#engine/versions/live-streams';
import { takeOverFormerMerchants } from '#engine/households/former-merchants';
import { hasEvents } from '#engine/households/household-stream';
import { dropFormerSnapshots } from '#engine/households/snapshots';
import { BackupSchedule } from './backup/backup-schedule.js';
import { closeAll, closeAllAfterFailure, type Closing } from './closing.js';
import type { Configuration } from './configuration.js';
import { ServiceMetrics, meteredEventStore, meteredUnitOfWork } from './metrics.js';
import { tracedDocuments, tracedEventStore, tracedUnitOfWork } from './traced.js';
import { OperatorSocket } from './operator-socket.js';
import { Preparation } from './preparation.js';
import { processName } from './process-name.js';
import { identityWorkOn, type IdentityWork } from './identity-work.js';
import { warningOfCopies } from './former-files.js';
import { fieldsLast } from './log.js';
import { refuseLostEvents } from './lost-files.js';
import { hasEmbeddedStore, isSoleWriter, openStores, type Stores } from './stores.js';
import type { Tracing } from './tracing.js';

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
export interface LedgerRuntime {
  readonly configuration: Configuration;
  readonly identityConfiguration: IdentityConfiguration;
  readonly stores: Stores;
  readonly streams: LiveStreams;
  readonly pages: KeptPages;
  readonly budgets: BudgetHistories;
  readonly identityWork: IdentityWork;
  readonly watch: VersionWatch;
  readonly readGate: ReadGate;
  /** Null where another process projects. */
  readonly projections: ProjectionHost | null;
  /** Null where another process projects, or `VERIFY_EVERY` switches it off. */
  readonly verifications: VerificationHost | null;
  /** Null where none are scheduled. */
  readonly backups: BackupSchedule | null;
  readonly metrics: ServiceMetrics;
  readonly preparation: Preparation;
  /** Null where no collector is named. */
  readonly tracing: Tracing | null;
  /** The server's own address once it listens; links lead there while `APP_URL` is not set. */
  serverUrl: string;
  /** Stops projecting, writes checkpoints and closes the stores. Call it when no request runs any more. */
  stop(): Promise<void>;
}

/**
 * Opens the stores and begins to project. Servers that are not up yet are waited for in the background; `preparation`
 * says what for.
 * @throws ConfigurationError, DatabaseRefused
 */
export async function startRuntime(
  configuration: Configuration,
  logger: Logger,
  role: RuntimeRole,
): Promise<LedgerRuntime> {
  const closings: Closing[] = [];
  try {
    return await open(configuration, logger, role, closings);
  } catch (error) {
    await closeAllAfterFailure(closings, logger);
    throw error;
  }
}

/** @param closings how to close what is open, the last first, also when this throws */
async function open(
  configuration: Configuration,
  logger: Logger,
  role: RuntimeRole,
  closings: Closing[],
): Promise<LedgerRuntime> {
  const owner = processName();
  const log = fieldsLast(logger);
  const tracing = await openTracing(configuration, owner, logger);
  // Closed last: a collector that is away takes no time from what must not be lost.
  if (tracing) closings.unshift(() => tracing.stop());
  const opened = await openStores(configuration, logger);
  closings.unshift(() => opened.close());
  const metrics = new ServiceMetrics();
  const stores = observed(opened, metrics, tracing);
  const shared = !isSoleWriter(configuration);
  const watch = new VersionWatch(stores.documents, { owner, shared, log });
  // Where other processes write households too, none may be kept.
  const pages = new KeptPages(shared ? 0 : undefined);
  const work = unitOfWork(opened.database, configuration, metrics, tracing);
  const streams = liveStreams(stores, watch, pages, shared, work, logger);
  const warnOfCopies = warningOfCopies(configuration.dataDirectory, logger);
  const budgets = budgetsOf(stores, streams, pages, warnOfCopies);
  closings.unshift(() => streams.stop());
  const projections = role.projects ? projectionHost(shared, stores, streams, owner, log, tracing) : null;
  const place = { ...rebuildWorkplace(stores, shared, watch, log), onWritten: streams.onWritten };
  const rebuilds = role.projects ? new RebuildHost(place, owner) : null;
  const { allowedEmails, defaultCurrency } = configuration;
  const appUrl = (): string => configuration.appUrl ?? runtime.serverUrl;
  const identityConfiguration = { allowedEmails, defaultCurrency, appUrl };
  const identityWork = identityWorkOn(stores, budgets, identityConfiguration);
  const verifications = projections && verificationHost(configuration, stores, projections, owner, log);
  const backups = configuration.backups && new BackupSchedule(configuration, configuration.backups, log);
  for (const host of [projections, rebuilds, verifications, backups])
    if (host) closings.unshift(() => host.stop());
  const preparation = new Preparation(async () => {
    await prepareRecords(configuration, stores, logger);
    await streams.start();
    await finishErasures(identityWork, stores, warnOfCopies);
    if (projections) await takeOverFormer(stores.documents);
    for (const host of [projections, verifications, rebuilds]) host?.start();
    if (rebuilds && hasEmbeddedStore(configuration))
      closings.unshift(await listenForOperators(configuration, rebuilds, identityWork, log));
    backups?.start();
  }, logger);
  closings.unshift(() => preparation.stop());
  const runtime: LedgerRuntime = {
    configuration,
    identityConfiguration,
    stores,
    streams,
    pages,
    budgets,
    identityWork,
    watch,
    readGate: readGate(projections, streams),
    projections,
    verifications,
    backups,
    metrics,
    preparation,
    tracing,
    serverUrl: '',
    stop: () => closeAll(closings),
  };
  await preparation.begin();
  metrics.watch(runtime, MAIL_QUEUE);
  return runtime;
}

/** Until the projections have caught up after a start, a query brings its household up to date first. */
function readGate(projections: ProjectionHost | null, streams: LiveStreams): ReadGate {
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

/** @returns how to stop */
async function listenForOperators(
  { dataDirectory }: Configuration,
  rebuilds: RebuildHost,
  { administration }: IdentityWork,
  log: BackgroundLog,
): Promise<Closing> {
  const socket = await OperatorSocket.listen(dataDirectory, log, {
    announce: command => rebuilds.take(command),
    administer: request => administration.carryOut(request),
  });
  return () => socket.close();
}

async function finishErasures(
  { erasures }: IdentityWork,
  { documents }: Stores,
  warnOfCopies: () => void,
): Promise<void> {
  await erasures.finishAll();
  if ((await new Erasures(documents).all()).size > 0) warnOfCopies();
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
  // Accounts that were made before all spellings of a domain counted as one.
  for (const users of await sharedMailboxes(documents)) {
    logger.warn(
      { users },
      'accounts share one mailbox: each answers to the spelling of the address that it was made with, any other spelling reaches the first',
    );
  }
}

/** Loads OpenTelemetry only if a collector is named, because its modules slow the start. */
async function openTracing(
  { otlpEndpoint: endpoint }: Configuration,
  instance: string,
  logger: Logger,
): Promise<Tracing | null> {
  if (endpoint === null) return null;
  const { Tracing } = await import('./tracing.js');
  return Tracing.start({ endpoint, instance, logger });
}

function observed(opened: Stores, metrics: ServiceMetrics, tracing: Tracing | null): Stores {
  const eventStore = meteredEventStore(opened.eventStore, metrics);
  if (tracing === null) return { ...opened, eventStore };
  return {
    ...opened,
    eventStore: tracedEventStore(eventStore, tracing),
    documents: tracedDocuments(opened.documents, tracing),
  };
}

function budgetsOf(
  { eventStore, documents }: Stores,
  streams: LiveStreams,
  pages: KeptPages,
  onErased: () => void,
): BudgetHistories {
  const erasure = new HouseholdErasure(eventStore, documents, streams);
  return {
    hasEvents: householdId => hasEvents(eventStore, householdId),
    erase: async householdId => {
      await erasure.erase(householdId);
      pages.forget(householdId);
      onErased();
    },
  };
}

function liveStreams(
  { eventStore, documents }: Stores,
  watch: VersionWatch,
  pages: KeptPages,
  shared: boolean,
  unitOfWork: UnitOfWork | undefined,
  logger: Logger,
): LiveStreams {
  const streams = new LiveStreams(eventStore, documents, watch, {
    shared,
    ...(unitOfWork && { unitOfWork }),
    onWritten: household => void erasure.removeIfErased(household),
    onChange: pages.forget,
    onSnapshotFailure: (household, error) =>
      logger.warn({ household, err: error }, 'a snapshot could not be saved'),
    onBesideFailure: (household, error) =>
      logger.error({ household, err: error }, 'the read models that are being rebuilt could not be written'),
  });
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
  const metered = meteredUnitOfWork(database, metrics);
  return tracing ? tracedUnitOfWork(metered, tracing) : metered;
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
  const place = {
    store,
    documents,
    log,
    isCaughtUp: () => projections.isCaughtUp(),
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
