import { ChainAudit } from '#engine/verify/chain-audit';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { STREAM_PREFIX } from '#engine/households/household-stream';

/** Follows the chains through the events of a copied ledger. @throws EventStoreUnavailable, DatabaseRefused */
export async function auditEvents(file: string, progress: (events: number) => void): Promise<ChainAudit> {
  const ledger = LedgerDatabase.openFile(file, { readOnly: true });
  const audit = new ChainAudit();
  try {
    for await (const page of ledger.eventStore.readAll({ prefix: STREAM_PREFIX })) {
      audit.add(page);
      progress(audit.events);
    }
  } finally {
    await ledger.close();
  }
  return audit;
}
