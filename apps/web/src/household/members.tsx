import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '#client/client';
import { membersQuery } from '../api/queries.js';
import { sentenceOf } from '../api/sentences.js';
import { dateName } from '../format/dates.js';
import { useSession } from '../shell/household-context.js';
import { Confirmation } from '../ui/confirmation.js';
import { sayDone } from '../ui/toasts.js';
import { changeRole, removeMember } from './household-commands.js';

type Member = Schemas['Member'];

/** Who keeps the budget together. */
export function Members() {
  const { household, me } = useSession();
  const { data: members, error } = useQuery(membersQuery(household.id));
  const [leaving, setLeaving] = useState<Member | null>(null);
  const role = useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Schemas['Role'] }) =>
      changeRole(household.id, userId, role),
    onSuccess: () => sayDone('Role changed.'),
  });
  const isOwner = household.role === 'owner';
  return (
    <section className="card" aria-labelledby="members">
      <h2 id="members">Members</h2>
      {error && <p className="field-error">{sentenceOf(error)}</p>}
      <ul className="lines">
        {members?.map(member => {
          const isMe = member.user_id === me.user.id;
          return (
            <li key={member.user_id}>
              <div className="line-text">
                <p>
                  {member.name}
                  {isMe && <span className="quiet"> (you)</span>}
                </p>
                <p className="small quiet">
                  {member.email} · since {dateName(member.joined_at.slice(0, 10))}
                </p>
              </div>
              <div className="line-actions">
                {isOwner ? (
                  <select
                    className="input"
                    aria-label={`Role of ${member.name}`}
                    value={member.role}
                    disabled={role.isPending}
                    onChange={event =>
                      role.mutate({ userId: member.user_id, role: event.target.value as Schemas['Role'] })
                    }
                  >
                    <option value="owner">Owner</option>
                    <option value="member">Member</option>
                  </select>
                ) : (
                  <span className="chip">{member.role === 'owner' ? 'Owner' : 'Member'}</span>
                )}
                {(isOwner || isMe) && !(isMe && household.personal) && (
                  <button type="button" className="button is-small" onClick={() => setLeaving(member)}>
                    {isMe ? 'Leave' : 'Remove'}
                  </button>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      {leaving && (
        <Departure member={leaving} isMe={leaving.user_id === me.user.id} onClose={() => setLeaving(null)} />
      )}
    </section>
  );
}

function Departure({ member, isMe, onClose }: { member: Member; isMe: boolean; onClose: () => void }) {
  const { household } = useSession();
  return (
    <Confirmation
      title={isMe ? `Leave ${household.name}` : `Remove ${member.name}`}
      text={
        isMe
          ? 'You lose access at once. What you recorded stays with the household.'
          : `${member.name} loses access at once. What they recorded stays.`
      }
      action={isMe ? 'Leave' : 'Remove'}
      run={() => removeMember(household.id, member.user_id)}
      onDone={() => sayDone(isMe ? `You left ${household.name}.` : `${member.name} was removed.`)}
      onClose={onClose}
    />
  );
}
