import type { RecordedEvent } from '#event-store/event-store';
import { householdOf } from '#streams/household-stream';

/** Events by their household, each list in the order of the log. */
export function eventsByHousehold(
  events: readonly RecordedEvent[],
  isWanted: (householdId: string, event: RecordedEvent) => boolean = () => true,
): Map<string, RecordedEvent[]> {
  const byHousehold = new Map<string, RecordedEvent[]>();
  for (const event of events) {
    const householdId = householdOf(event.stream);
    if (!isWanted(householdId, event)) continue;
    const list = byHousehold.get(householdId);
    if (list) list.push(event);
    else byHousehold.set(householdId, [event]);
  }
  return byHousehold;
}

/**
 * Works on households side by side, a number of them at the same time, until all are done or it is stopped.
 * @param isStopped asked before each household
 * @throws what the first work threw that failed, when all that is under way has ended
 */
export async function workOnHouseholds<T>(
  byHousehold: ReadonlyMap<string, T>,
  atOnce: number,
  isStopped: () => boolean,
  work: (householdId: string, its: T) => Promise<void>,
): Promise<void> {
  const waiting = [...byHousehold];
  const worker = async (): Promise<void> => {
    for (let next = waiting.pop(); next && !isStopped(); next = waiting.pop()) await work(...next);
  };
  const workers = Array.from({ length: Math.min(atOnce, waiting.length) }, worker);
  const settled = await Promise.allSettled(workers);
  const rejected = settled.find(result => result.status === 'rejected');
  if (rejected) throw rejected.reason;
}
