import type { BrokenLink } from '#engine/verify/chain-audit';

/** What `backup` and `restore` tell of broken chains to programs. */
export function brokenLinksJson(links: readonly BrokenLink[]): object[] {
  return links.map(({ householdId, revision, eventId }) => {
    return { household_id: householdId, revision, event_id: eventId };
  });
}

/** The same for people: a line for each household. */
export function brokenLinkLines(links: readonly BrokenLink[]): string[] {
  return links.map(
    ({ householdId, revision }) =>
      `Household ${householdId}: the hash chain breaks at revision ${revision}. See \`ledger projections verify\`.`,
  );
}
