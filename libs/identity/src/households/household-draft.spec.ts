import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#http/api-error';
import { HouseholdDraft, MEMBERS_MAX, PENDING_INVITES_MAX } from './household-draft.js';
import type { HouseholdRecord, PendingInvite } from './household-records.js';

const NOW = Date.UTC(2026, 0, 1);
const DAY = 24 * 3_600_000;

const home = (personal = false): HouseholdRecord =>
  HouseholdDraft.create({ id: 'H', name: 'Home', currency: 'EUR', ownerId: 'anna', personal, now: NOW });

const inviteFor = (name: string, inviterId = 'anna'): PendingInvite => ({
  id: `invite-${name}`,
  email: `${name}@Example.org`,
  inviterId,
  createdAt: NOW,
  endsAt: NOW + 7 * DAY,
  token: `secret-${name}`,
});

/** The record after a change at a time; what it would write. */
function after(record: HouseholdRecord, change: (draft: HouseholdDraft) => void, now = NOW): HouseholdRecord {
  const draft = new HouseholdDraft(record, now);
  change(draft);
  return draft.changed ? draft.toRecord() : record;
}

const withMember = (record: HouseholdRecord, name: string): HouseholdRecord =>
  after(
    after(record, draft => draft.invite(inviteFor(name), null)),
    draft => draft.acceptInvite(`invite-${name}`, name),
  );

const refuses = (code: string, work: () => unknown, details: object = {}) =>
  assert.throws(work, error => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, code);
    assert.deepEqual(error.details, details);
    return true;
  });

describe('a new household', () => {
  it('has its maker as owner, and a log that says so', () => {
    const record = home();
    assert.deepEqual(record.members, [{ userId: 'anna', role: 'owner', joinedAt: NOW }]);
    assert.deepEqual(record.memberIds, ['anna']);
    assert.deepEqual(
      record.unlogged.map(({ sequence, kind, by }) => [sequence, kind, by]),
      [
        [1, 'household_created', 'anna'],
        [2, 'member_joined', 'anna'],
      ],
    );
    assert.equal(record.sequence, 2);
  });
});

describe('members', () => {
  it('join by accepting, once', () => {
    const record = withMember(home(), 'ben');
    assert.deepEqual(record.members[1], { userId: 'ben', role: 'member', joinedAt: NOW });
    assert.deepEqual(record.invites, []);
    // Still found by its link until the log has it.
    assert.deepEqual(record.inviteTokens, ['secret-ben']);
    refuses('invite_not_pending', () => after(record, draft => draft.acceptInvite('invite-ben', 'ben')));
  });

  it('cannot lose their last owner', () => {
    const record = withMember(home(), 'ben');
    refuses('last_owner', () => after(record, draft => draft.removeMember('anna', 'anna')));
    refuses('last_owner', () => after(record, draft => draft.changeRole('anna', 'member', 'anna')));
    const two = after(record, draft => draft.changeRole('ben', 'owner', 'anna'));
    const left = after(two, draft => draft.removeMember('anna', 'anna'));
    assert.deepEqual(left.memberIds, ['ben']);
  });

  it('a role that one has already changes nothing', () => {
    const draft = new HouseholdDraft(withMember(home(), 'ben'), NOW);
    draft.changeRole('ben', 'member', 'anna');
    draft.changeRole('anna', 'owner', 'anna');
    assert.equal(draft.changed, false);
  });

  it('nobody is removed from their personal household, others may go', () => {
    const record = withMember(home(true), 'ben');
    refuses('personal_household', () => after(record, draft => draft.removeMember('anna', 'anna')));
    const two = after(record, draft => draft.changeRole('ben', 'owner', 'anna'));
    refuses('personal_household', () => after(two, draft => draft.removeMember('anna', 'ben')));
    assert.deepEqual(after(two, draft => draft.removeMember('ben', 'ben')).memberIds, ['anna']);
  });

  it('who goes takes the invites along that they sent', () => {
    const invited = after(withMember(home(), 'ben'), draft => {
      draft.invite(inviteFor('cleo', 'ben'), null);
      draft.invite(inviteFor('dora'), null);
    });
    const record = after(invited, draft => draft.removeMember('ben', 'anna'));
    assert.deepEqual(
      record.invites.map(({ id }) => id),
      ['invite-dora'],
    );
    const [settled] = record.settled;
    assert.deepEqual([settled?.id, settled?.status, settled?.settledAt], ['invite-cleo', 'revoked', NOW]);
  });

  it('strangers are unknown', () => {
    refuses('not_found', () => after(home(), draft => draft.removeMember('zoe', 'anna')), {
      resource: 'member',
    });
    refuses('not_found', () => after(home(), draft => draft.changeRole('zoe', 'owner', 'anna')), {
      resource: 'member',
    });
    refuses('not_a_member', () => after(home(), draft => draft.requireOwner('zoe')));
    refuses('owner_required', () => after(withMember(home(), 'ben'), draft => draft.requireOwner('ben')));
  });

  it('are at most a hundred', () => {
    let record = home();
    for (let member = 1; member < MEMBERS_MAX; member += 1) record = withMember(record, `user${member}`);
    const invited = after(record, draft => draft.invite(inviteFor('late'), null));
    refuses('conflict', () => after(invited, draft => draft.acceptInvite('invite-late', 'late')), {
      reason: 'limit_reached',
      limit: MEMBERS_MAX,
    });
  });
});

describe('invites', () => {
  it('a second one for an address, however it is spelt, replaces the first', () => {
    const first = after(home(), draft => draft.invite(inviteFor('ben'), null));
    const second = { ...inviteFor('ben'), id: 'second', token: 'other' };
    const record = after(first, draft => draft.invite(second, null));
    assert.deepEqual(record.invites, [second]);
    refuses('invite_not_pending', () => after(record, draft => draft.acceptInvite('invite-ben', 'ben')));
    const statuses = record.unlogged.map(({ kind, status }) => [kind, status]);
    assert.deepEqual(statuses, [
      ['invite_settled', 'replaced'],
      ['invite_sent', undefined],
    ]);
  });

  it('end after their time', () => {
    const invited = after(home(), draft => draft.invite(inviteFor('ben'), null));
    assert.equal(invited.inviting, true);
    assert.equal(invited.inviteEndsFirst, '2026-01-08T00:00:00.000Z');
    const inTime = after(invited, draft => draft.acceptInvite('invite-ben', 'ben'), NOW + 7 * DAY - 1);
    assert.equal(inTime.members.length, 2);
    refuses('invite_not_pending', () =>
      after(invited, draft => draft.acceptInvite('invite-ben', 'ben'), NOW + 7 * DAY),
    );
    const record = after(invited, () => undefined, NOW + 7 * DAY);
    assert.equal(record.unlogged[0]?.status, 'expired');
    assert.deepEqual([record.inviting, record.inviteEndsFirst], [null, null]);
  });

  it('are not for members', () => {
    const record = withMember(home(), 'ben');
    refuses('already_a_member', () => after(record, draft => draft.invite(inviteFor('ben'), 'ben')));
  });

  it('are declined or revoked once', () => {
    const end = {
      declined: (draft: HouseholdDraft) => draft.declineInvite('invite-ben', 'ben'),
      revoked: (draft: HouseholdDraft) => draft.revokeInvite('invite-ben', 'anna'),
    };
    for (const status of ['declined', 'revoked'] as const) {
      const invited = after(home(), draft => draft.invite(inviteFor('ben'), null));
      const record = after(invited, end[status]);
      assert.equal(record.unlogged[0]?.status, status);
      refuses('invite_not_pending', () => after(record, end[status]));
    }
  });

  it('are at most a hundred at a time', () => {
    const full = after(home(), draft => {
      for (let invite = 0; invite < PENDING_INVITES_MAX; invite += 1)
        draft.invite(inviteFor(`user${invite}`), null);
    });
    refuses('conflict', () => after(full, draft => draft.invite(inviteFor('late'), null)), {
      reason: 'limit_reached',
      limit: PENDING_INVITES_MAX,
    });
    assert.equal(
      after(full, draft => draft.invite({ ...inviteFor('user0'), id: 'again' }, null)).invites.length,
      100,
    );
  });
});

describe('archiving', () => {
  it('stops writes, not coming back', () => {
    const archived = after(home(), draft => draft.setArchived(true, 'anna'));
    refuses('conflict', () => after(archived, draft => draft.requireWritable()), { reason: 'archived' });
    assert.equal(after(archived, draft => draft.setArchived(false, 'anna')).archived, false);
  });

  it('admits no new member, but lets the invited decline', () => {
    const invited = after(withMember(home(), 'cleo'), draft => draft.invite(inviteFor('ben'), null));
    const archived = after(invited, draft => draft.setArchived(true, 'anna'));
    const writes: ((draft: HouseholdDraft) => unknown)[] = [
      draft => draft.acceptInvite('invite-ben', 'ben'),
      draft => draft.revokeInvite('invite-ben', 'anna'),
      draft => draft.invite(inviteFor('dora'), null),
    ];
    for (const write of writes) {
      refuses('conflict', () => after(archived, draft => void write(draft)), { reason: 'archived' });
    }
    assert.deepEqual(after(archived, draft => draft.declineInvite('invite-ben', 'ben')).invites, []);
  });

  it('lets members go and change roles', () => {
    const archived = after(withMember(withMember(home(), 'ben'), 'cleo'), draft =>
      draft.setArchived(true, 'anna'),
    );
    const left = after(archived, draft => draft.removeMember('cleo', 'cleo'));
    assert.deepEqual(left.memberIds, ['anna', 'ben']);
    const promoted = after(left, draft => draft.changeRole('ben', 'owner', 'anna'));
    assert.deepEqual(after(promoted, draft => draft.removeMember('anna', 'ben')).memberIds, ['ben']);
    refuses('last_owner', () => after(archived, draft => draft.removeMember('anna', 'anna')));
  });

  it('is not for personal households', () => {
    refuses('personal_household', () => after(home(true), draft => draft.setArchived(true, 'anna')));
  });
});

it('the numbers of the log never repeat and never skip', () => {
  let record = withMember(home(), 'ben');
  const seen = record.unlogged.map(({ sequence }) => sequence);
  assert.deepEqual(seen, [4, 5]);
  record = after(record, draft => draft.rename('Other', 'anna'));
  assert.deepEqual(
    record.unlogged.map(({ sequence }) => sequence),
    [6],
  );
  assert.equal(record.sequence, 6);
});
