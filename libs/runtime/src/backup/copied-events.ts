import { ChainAudit } from '#background/verify/chain-audit';
import { SqliteEventStore } from '#event-store/sqlite/sqlite-event-store';
import { STREAM_PREFIX } from '#streams/household-stream';

/** Follows the chains through a copied event log. @throws EventStoreUnavailable, DatabaseRefused */
export async function auditEvents(file: string, progress: (events: number) => void): Promise<ChainAudit> {
  const store = SqliteEventStore.open({ file, readOnly: true });
  const audit = new ChainAudit();
  try {
    for await (const page of store.readAll({ prefix: STREAM_PREFIX })) {
      audit.add(page);
      progress(audit.events);
    }
  } finally {
    await store.close();
  }
  return audit;
}
