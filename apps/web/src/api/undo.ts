import { dataOf } from '#client/client';
import { sayDone, sayFailed } from '../ui/toasts.js';
import { apiOf } from './client.js';
import { inTurn } from './commands.js';
import { queryClient } from './query-client.js';
import { meQuery } from './queries.js';
import type { Me } from './types.js';
import { sentenceOf } from './sentences.js';
import { storeMonths } from './month-cache.js';

const LATEST = 20;

/**
 * Undoes the command whose last event has a revision, or one's latest command where the revision is not known.
 * Answers to commands do not name their event, so it is looked up when somebody wants it undone.
 */
export async function undoCommand(household: string, revision?: number): Promise<void> {
  try {
    const eventId = await eventOf(household, revision);
    if (eventId === undefined) throw new Error('The command is not among the latest.');
    await undoEvent(household, eventId);
    sayDone('Undone.');
  } catch (error) {
    sayFailed(`This could not be undone. ${sentenceOf(error)}`);
  }
}

/** Undoes the command of an event, and shows what that changed. */
export async function undoEvent(household: string, eventId: string): Promise<void> {
  const { months } = await inTurn(() =>
    dataOf(apiOf(household).POST('/activity/{eventId}/undo', { params: { path: { eventId } } })),
  );
  storeMonths(household, months, null);
  // A month may have gone, a name may have changed, transactions may have come back.
  await queryClient.invalidateQueries({ queryKey: [household] });
}

async function eventOf(household: string, revision?: number): Promise<string | undefined> {
  const { activity } = await dataOf(
    apiOf(household).GET('/activity', { params: { query: { limit: LATEST } } }),
  );
  const me = queryClient.getQueryData<Me | null>(meQuery.queryKey)?.user.id;
  const own = activity.filter(entry => entry.by === me);
  if (revision === undefined) return own[0]?.event_id;
  // An entry has the revision of its command's first event; a command of several ends later.
  return own.find(entry => entry.revision <= revision)?.event_id;
}
