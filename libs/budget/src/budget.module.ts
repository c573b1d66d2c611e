import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Documents } from '#storage/documents/documents';
import { EventStore } from '#storage/event-store/event-store';
import { CursorCodec } from '#http/cursor';
import { IdentityModule } from '#identity/identity.module';
import { IdentityServicesModule } from '#identity/identity-services.module';
import { SecretKey } from '#identity/secrets';
import { CommandLog } from '#engine/commands/command-log';
import { PastHouseholds } from '#engine/households/past-households';
import { ActivityController } from './activity/activity.controller.js';
import { ActivityEntries } from './activity/activity-entries.js';
import { ListActivityHandler } from './activity/list-activity.js';
import { GetTransactionHistoryHandler } from './activity/get-transaction-history.js';
import { ChangeFeed } from './changes/change-feed.js';
import { ChangesController } from './changes/changes.controller.js';
import { ChangesPace, HouseholdChanges } from './changes/household-changes.js';
import { ExplainController } from './explain/explain.controller.js';
import { ExplainHandler } from './explain/explain.js';
import { ExportController } from './export/export.controller.js';
import { HouseholdExport } from './export/household-export.js';
import { FundHistoryController } from './funds/fund-history.controller.js';
import { GetFundHistoryHandler } from './funds/get-fund-history.js';
import { UndoCommandHandler } from './activity/undo-command.js';
import { FundsController } from './funds/funds.controller.js';
import { GroupsController } from './groups/groups.controller.js';
import { HouseholdReads } from './household-reads.js';
import { ImportsController } from './imports/imports.controller.js';
import { ImportThreads } from './imports/import-threads.js';
import { PreviewImportHandler } from './imports/preview-import.js';
import { RecordedImports } from './imports/recorded-imports.js';
import { SuggestedSplits } from './imports/suggested-splits.js';
import { HarvestItemHandler } from './items/harvest-item.js';
import { ItemsController } from './items/items.controller.js';
import { ListItemMonthsHandler } from './items/list-item-months.js';
import { BudgetWriteHandler } from './month-write.js';
import { GetMonthHandler } from './months/get-month.js';
import { ListMonthsHandler } from './months/list-months.js';
import { MonthsController } from './months/months.controller.js';
import { ListMerchantsHandler } from './merchants/list-merchants.js';
import { MerchantsController } from './merchants/merchants.controller.js';
import { ChangedEvents } from './sync/changed-events.js';
import { SyncController } from './sync/sync.controller.js';
import { GetSyncPageHandler } from './sync/get-sync-page.js';
import { BatchTransactionsHandler } from './transactions/batch-transactions.js';
import { GetTransactionHandler } from './transactions/get-transaction.js';
import { ListTransactionsHandler } from './transactions/list-transactions.js';
import { TransactionWriteHandler } from './transactions/transaction-write.js';
import { TransactionsController } from './transactions/transactions.controller.js';

const HANDLERS = [
  BudgetWriteHandler,
  TransactionWriteHandler,
  UndoCommandHandler,
  GetMonthHandler,
  ListMonthsHandler,
  HarvestItemHandler,
  ListItemMonthsHandler,
  BatchTransactionsHandler,
  GetTransactionHandler,
  ListTransactionsHandler,
  ListMerchantsHandler,
  ListActivityHandler,
  GetFundHistoryHandler,
  ExplainHandler,
  PreviewImportHandler,
  GetTransactionHistoryHandler,
  GetSyncPageHandler,
];

const cursorCodec = {
  provide: CursorCodec,
  inject: [SecretKey],
  useFactory: (secret: SecretKey): CursorCodec => new CursorCodec(secret.mac('cursors')),
};

const pastHouseholds = {
  provide: PastHouseholds,
  inject: [EventStore, Documents],
  useFactory: (store: EventStore, documents: Documents): PastHouseholds =>
    new PastHouseholds(store, documents),
};

const commandLog = {
  provide: CommandLog,
  inject: [EventStore],
  useFactory: (store: EventStore): CommandLog => new CommandLog(store),
};

/** Needs from a global module: `EventStore`, `Documents`, `LiveStreams`, `ReadGate`, and what identity's services need. */
@Module({
  imports: [CqrsModule, IdentityModule, IdentityServicesModule],
  controllers: [
    MonthsController,
    GroupsController,
    ItemsController,
    FundsController,
    TransactionsController,
    MerchantsController,
    ActivityController,
    FundHistoryController,
    ExportController,
    ImportsController,
    ExplainController,
    ChangesController,
    SyncController,
  ],
  providers: [
    HouseholdReads,
    ActivityEntries,
    HouseholdExport,
    ImportThreads,
    RecordedImports,
    SuggestedSplits,
    ChangeFeed,
    ChangesPace,
    HouseholdChanges,
    ChangedEvents,
    cursorCodec,
    commandLog,
    pastHouseholds,
    ...HANDLERS,
  ],
})
export class BudgetModule {}
