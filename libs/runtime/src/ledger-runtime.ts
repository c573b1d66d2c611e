import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { HouseholdErasure } from '#engine/erasure/household-erasure';
import { LeasedPartitions } from '#engine/projector/leased-partitions';
import { SoleOwner } from '#engine/projector/partitions';
import { ProjectionHost, type BatchEnclosure } from '#engine/projector/projection-host';
import { RebuildHost } from '#engine/rebuild/rebuild-work';
import { VerificationHost } from '#engine/verify/verification-host';
import { PROJECTION_COLLECTIONS } from '#engine/projector/projection-collections';
import type { RebuildWorkplace } from '#engine/rebuild/rebuild';
import { ReadGate } from '#budget/household-reads';
import { KeptPages } from '#budget/transactions/kept-pages';
import type { Collection, Document, Documents } from '#storage/documents/documents';
import { Erasures } from '#storage/documents/erasures';
import type { UnitOfWork } from '#storage/event-store/unit-of-work';
import { recordCurrencies } from '#identity/households/households';
import { chainMembershipLogs, membershipFindings } from '#identity/households/membership-chain';
import { sharedMailboxes } from '#identity/accounts/accounts';
import { IDENTITY_COLLECTIONS } from '#identity/identity-services.module';
import type { BudgetHistories, IdentityConfiguration } from '#identity/surroundings';
import { readActiveVersion } from '#engine/versions/active-version';
import { LiveStreams, VersionWatch } from '#engine/versions/live-streams';
import { takeOverFormerMerchants } from '#engine/households/former-merchants';
import { hasEvents } from '#engine/households/household-stream';
import { dropFormerSnapshots } from '#engine/households/snapshots';
import { BackupSchedule } from './backup/backup-schedule.js';
import { closeAll, closeAllAfterFailure, type Closing } from './closing.js';
import type { Configuration } from './configuration.js';
import { ServiceMetrics, meteredEventStore, meteredUnitOfWork } from './metrics.js';
import { tracedDocuments, tracedEventStore, tracedUnitOfWork } from './traced.js';
import { listenForOperators, PROJECTIONS_PATH, USERS_PATH, type OperatorWork } from './operator-socket.js';
import { Preparation } from './preparation.js';
import { processName } from './process-name.js';
import { identityWorkOn, type IdentityWork } from './identity-work.js';
import { warningOfCopies } from './former-files.js';
import { refuseLostEvents } from './lost-files.js';
import { hasEmbeddedStore, isSoleWriter, openStores, type Stores } from './stores.js';
import type { Tracing } from './tracing.js';

/** How often it is checked whether work that began by an older active version has ended. */
const CONFIRM_POLL_MS = 20;

/** What a program does besides answering requests. */
export interface RuntimeRole {
  /** Follows the log and keeps the read models right; sends mails. */
  readonly projects: boolean;
  /** Answers the API, and serves the web app unless `WEB` is off. */
  readonly answersApi?: boolean;
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
    const owner = processName();
    const tracing = await openTracing(configuration, owner, logger);
    // Closed last: a collector that is away takes no time from what must not be lost.
    if (tracing) closings.unshift(() => tracing.stop());
    const stores = await openStores(configuration, logger);
    closings.unshift(() => stores.close());
    const runtime = new LedgerRuntime(configuration, role, { logger, owner, tracing, stores, closings });
    await runtime.preparation.begin();
    runtime.metrics.watch(runtime);
    return runtime;
  } catch (error) {
    await closeAllAfterFailure(closings, logger);
    throw error;
  }
}

/** What is open before all else. */
interface Ground {
  readonly logger: Logger;
  readonly owner: string;
  readonly tracing: Tracing | null;
  readonly stores: Stores;
  /** How to close what is open, the last first. */
  readonly closings: Closing[];
}

/** What runs below the HTTP layer: the stores, the streams of households, and the projections. */
export class LedgerRuntime {
  readonly metrics = new ServiceMetrics();
  /** Null where no collector is named. */
  readonly tracing: Tracing | null;
  readonly stores: Stores;
  readonly watch: VersionWatch;
  readonly pages: KeptPages;
  readonly streams: LiveStreams;
  readonly budgets: BudgetHistories;
  readonly identityConfiguration: IdentityConfiguration;
  readonly identityWork: IdentityWork;
  /** Null where another process projects. */
  readonly projections: ProjectionHost | null;
  /** Null where another process projects, or `VERIFY_EVERY` switches it off. */
  readonly verifications: VerificationHost | null;
  /** Null where none are scheduled. */
  readonly backups: BackupSchedule | null;
  readonly preparation: Preparation;
  /** The server's own address once it listens; links lead there while `APP_URL` is not set. */
  serverUrl = '';
  /** Until the projections have caught up after a start, a query brings its household up to date first. */
  readonly readGate: ReadGate = {
    ready: householdId => {
      if (this.projections?.isCaughtUp() ?? true) return undefined;
      // A household that cannot be read now is served as far as its documents go; the host reports it.
      const served = (): void => undefined;
      return this.streams.catchUp(householdId).then(served, served);
    },
  };

  /** Stops projecting, writes checkpoints and closes the stores. Call it when no request runs any more. */
  readonly stop: () => Promise<void>;

  constructor(
    readonly configuration: Configuration,
    readonly role: RuntimeRole,
    { logger, owner, tracing, stores, closings }: Ground,
  ) {
    const shared = !isSoleWriter(configuration);
    this.tracing = tracing;
    this.stores = observed(stores, this.metrics, tracing);
    const { eventStore, documents } = this.stores;
    this.watch = new VersionWatch(documents, { owner, shared, log: logger });
    // Where other processes write households too, none may be kept.
    this.pages = new KeptPages(shared ? 0 : undefined);
    const onWritten = (household: string): void => void erasure.removeIfErased(household);
    this.streams = new LiveStreams(eventStore, documents, this.watch, {
      shared,
      unitOfWork: this.unitOfWork(),
      onWritten,
      onChange: this.pages.forget,
      onSnapshotFailure: (household, err) => logger.warn({ household, err }, 'a snapshot could not be saved'),
      onBesideFailure: (household, err) =>
        logger.error({ household, err }, 'the read models that are being rebuilt could not be written'),
    });
    closings.unshift(() => this.streams.stop());
    const erasure = new HouseholdErasure(eventStore, documents, this.streams);
    const warnOfCopies = warningOfCopies(configuration.dataDirectory, logger);
    this.budgets = {
      hasEvents: householdId => hasEvents(eventStore, householdId),
      erase: async householdId => {
        await erasure.erase(householdId);
        this.pages.forget(householdId);
        warnOfCopies();
      },
    };
    const { allowedEmails, defaultCurrency } = configuration;
    const appUrl = (): string => configuration.appUrl ?? this.serverUrl;
    this.identityConfiguration = { allowedEmails, defaultCurrency, appUrl };
    this.identityWork = identityWorkOn(this.stores, this.budgets, this.identityConfiguration);
    this.projections = role.projects ? this.projectionHost(owner, logger) : null;
    const rebuilds = role.projects
      ? new RebuildHost({ ...this.rebuildWorkplace(logger), onWritten }, owner)
      : null;
    this.verifications = this.projections && this.verificationHost(this.projections, owner, logger);
    this.backups = configuration.backups && new BackupSchedule(configuration, configuration.backups, logger);
    const hosts = [this.projections, rebuilds, this.verifications, this.backups].filter(
      host => host !== null,
    );
    for (const host of hosts) closings.unshift(() => host.stop());
    this.preparation = new Preparation(async () => {
      await prepareRecords(configuration, this.stores, logger);
      await this.streams.start();
      await this.identityWork.erasures.finishAll();
      if ((await new Erasures(documents).all()).size > 0) warnOfCopies();
      if (this.projections) await takeOverFormer(documents);
      for (const host of hosts) host.start();
      if (!rebuilds || !hasEmbeddedStore(configuration)) return;
      const work: OperatorWork = {
        [PROJECTIONS_PATH]: ({ command }) => rebuilds.take(command),
        [USERS_PATH]: request => this.identityWork.administration.carryOut(request),
      };
      closings.unshift(await listenForOperators(configuration.dataDirectory, logger, work));
    }, logger);
    closings.unshift(() => this.preparation.stop());
    this.stop = () => closeAll(closings);
  }

  /** One transaction where one database holds events and documents; undefined elsewhere. */
  private unitOfWork(): UnitOfWork | undefined {
    const { eventStoreUrl, mongodbUrl } = this.configuration;
    const { database } = this.stores;
    if (database === null || eventStoreUrl !== null || mongodbUrl !== null) return undefined;
    const metered = meteredUnitOfWork(database, this.metrics);
    return this.tracing ? tracedUnitOfWork(metered, this.tracing) : metered;
  }

  private projectionHost(owner: string, log: Logger): ProjectionHost {
    const { streams, tracing } = this;
    const { eventStore, documents } = this.stores;
    const ownership = isSoleWriter(this.configuration)
      ? new SoleOwner()
      : new LeasedPartitions(documents, owner, log);
    const enclose: BatchEnclosure = (events, work) =>
      tracing ? tracing.root('project events', { 'ledger.events': events }, work) : work();
    return new ProjectionHost(eventStore, documents, streams, { log, ownership, enclose });
  }

  private verificationHost(projections: ProjectionHost, owner: string, log: Logger): VerificationHost | null {
    const { verifyEveryMs: everyMs } = this.configuration;
    if (everyMs === null) return null;
    const { eventStore: store, documents } = this.stores;
    const place = {
      store,
      documents,
      log,
      isCaughtUp: () => projections.isCaughtUp(),
      membershipFindings: () => membershipFindings(documents),
    };
    return new VerificationHost(place, { owner, everyMs });
  }

  private rebuildWorkplace(log: Logger): RebuildWorkplace {
    const { configuration, stores, watch } = this;
    const confirm = async (revision: number): Promise<void> => {
      await watch.look();
      while (watch.actedRevision() < revision) await pause(CONFIRM_POLL_MS);
    };
    const shared = !isSoleWriter(configuration);
    const { eventStore: store, documents } = stores;
    return { store, documents, shared, confirm, log };
  }
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
