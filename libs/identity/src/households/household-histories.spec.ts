// Whatever members do, in whatever order: what must always be true of a household is true.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '#http/api-error';
import { HouseholdDraft } from './household-draft.js';
import { INVITE_MS, type HouseholdRecord } from './household-records.js';
import { propertyRuns } from '../../../../test/property-runs.js';

const START = Date.UTC(2026, 0, 1);
const people = fc.constantFrom('anna', 'ben', 'cleo', 'dora');
const picks = fc.nat(9);

/** What a step may know: when it happens, which one it is, and what it finds. */
interface Moment {
  readonly now: number;
  readonly number: number;
  readonly record: HouseholdRecord;
}
type Step = (draft: HouseholdDraft, moment: Moment) => void;

/** One of the pending invites, or one that is none, and whom it is addressed to: here everybody's address is their id. */
function picked({ record }: Moment, pick: number): { id: string; to: string } {
  const invite = record.invites[pick % record.invites.length];
  return { id: invite?.id ?? 'no invite', to: invite?.email ?? 'nobody' };
}

const invited = fc.tuple(people, people).map(([by, to]): Step => (draft, { now, number }) => {
  const id = `invite-${number}`;
  const times = { createdAt: now, endsAt: now + INVITE_MS };
  draft.invite({ id, email: to, inviterId: by, ...times, token: `secret-${number}` }, to);
});
const answered = fc
  .tuple(fc.constantFrom('accept', 'decline', 'revoke'), picks, people)
  .map(([how, pick, by]): Step => (draft, moment) => {
    const { id, to } = picked(moment, pick);
    if (how === 'accept') draft.acceptInvite(id, to);
    else if (how === 'decline') draft.declineInvite(id, to);
    else draft.revokeInvite(id, by);
  });
const removed = fc.tuple(people, people).map(
  ([who, by]): Step =>
    draft =>
      draft.removeMember(who, by),
);
const left = people.map(
  (who): Step =>
    draft =>
      draft.removeMember(who, who),
);
const promoted = fc.tuple(people, fc.constantFrom('owner', 'member'), people).map(
  ([who, role, by]): Step =>
    draft =>
      draft.changeRole(who, role, by),
);
const archived = fc.tuple(fc.constantFrom(true, false, false), people).map(
  ([yes, by]): Step =>
    draft =>
      draft.setArchived(yes, by),
);

const steps = fc.tuple(
  fc.constantFrom(1, 1, 1000, 60_000, INVITE_MS / 4, INVITE_MS),
  fc.oneof(
    { weight: 4, arbitrary: invited },
    { weight: 4, arbitrary: answered },
    { weight: 2, arbitrary: removed },
    { weight: 1, arbitrary: left },
    { weight: 2, arbitrary: promoted },
    { weight: 1, arbitrary: archived },
  ),
);

/** @returns the record after the step, the same one where the step was refused */
function applied(step: Step, moment: Moment): HouseholdRecord {
  const draft = new HouseholdDraft(moment.record, moment.now);
  try {
    step(draft, moment);
  } catch (error) {
    if (error instanceof ApiError) return moment.record;
    throw error;
  }
  return draft.changed ? draft.toRecord() : moment.record;
}

it('a household has an owner, its own person, no double, a gapless log and true copies', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.boolean(), fc.array(steps, { minLength: 20, maxLength: 60 }), (personal, history) => {
      const made = { id: 'H', name: 'Home', currency: 'EUR', ownerId: 'anna', personal, now: START };
      let record = HouseholdDraft.create(made);
      const log = [...record.unlogged];
      let now = START;
      for (const [number, [waitMs, step]] of history.entries()) {
        now += waitMs;
        const next = applied(step, { now, number, record });
        if (next !== record) log.push(...next.unlogged);
        record = next;
        for (const { kind, status } of record.unlogged) seen.add(status ?? kind);
        const { members, invites: pending } = record;
        assert.ok(members.some(({ role }) => role === 'owner'));
        if (personal) assert.ok(members.some(({ userId }) => userId === 'anna'));
        if (personal) assert.equal(record.archived, false);
        assert.equal(new Set(record.memberIds).size, members.length);
        assert.equal(new Set(pending.map(({ email }) => email)).size, pending.length);
        assert.ok(!pending.some(({ email }) => record.memberIds.includes(email)));
        assert.deepEqual(
          record.memberIds,
          members.map(({ userId }) => userId),
        );
        assert.equal(record.inviting, pending.length > 0 ? true : null);
      }
      assert.deepEqual(
        log.map(({ sequence }) => sequence),
        log.map((_, index) => index + 1),
      );
      const joined = log.filter(({ kind }) => kind === 'member_joined').length;
      const gone = log.filter(({ kind }) => kind === 'member_left' || kind === 'member_removed').length;
      assert.equal(joined - gone, record.members.length);
      const sent = log.filter(({ kind }) => kind === 'invite_sent').length;
      const settled = log.filter(({ kind }) => kind === 'invite_settled').length;
      assert.equal(sent - settled, record.invites.length);
    }),
    { numRuns: propertyRuns(300) },
  );
  // Histories in which little happens would prove little.
  assert.deepEqual([...seen].sort(), [
    'accepted',
    'declined',
    'expired',
    'household_archived',
    'household_created',
    'household_unarchived',
    'invite_sent',
    'member_joined',
    'member_left',
    'member_removed',
    'replaced',
    'revoked',
    'role_changed',
  ]);
});
