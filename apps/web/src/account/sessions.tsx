import { useMutation, useQuery } from '@tanstack/react-query';
import { dataOf } from '#client/client';
import { api } from '../api/client.js';
import { queryClient } from '../api/query-client.js';
import { sessionsQuery } from '../api/queries.js';
import { sentenceOf } from '../api/sentences.js';
import { momentName } from '../format/dates.js';
import { sayDone } from '../ui/toasts.js';
import { deviceName } from './device-name.js';

/** Where the person is signed in. */
export function Sessions() {
  const { data: sessions, error } = useQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: (sessionId: string) =>
      dataOf(api.DELETE('/auth/sessions/{sessionId}', { params: { path: { sessionId } } })),
    onSuccess: () => {
      sayDone('That device is signed out.');
      return queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  return (
    <section className="card" aria-labelledby="sessions">
      <h2 id="sessions">Signed in on</h2>
      {error && <p className="field-error">{sentenceOf(error)}</p>}
      <ul className="lines">
        {sessions?.map(session => (
          <li key={session.id}>
            <div className="line-text">
              <p>
                {deviceName(session.user_agent, session.client)}
                {session.current && <span className="chip">This one</span>}
              </p>
              <p className="small quiet">Last used {momentName(session.last_used_at)}</p>
            </div>
            {!session.current && (
              <button
                type="button"
                className="button is-small"
                disabled={end.isPending}
                onClick={() => end.mutate(session.id)}
              >
                End session
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
