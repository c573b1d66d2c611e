import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { dataOf, type Schemas } from '#client/client';
import { api } from '../api/client.js';
import { queryClient } from '../api/query-client.js';
import { tokensQuery } from '../api/queries.js';
import { sentenceOf } from '../api/sentences.js';
import { dateName, momentName } from '../format/dates.js';
import { sayDone } from '../ui/toasts.js';

const NewToken = lazy(() => import('./new-token.js'));

/** Personal access tokens for scripts. */
export function Tokens() {
  const { data: tokens, error } = useQuery(tokensQuery);
  const [isOpen, setOpen] = useState(false);
  const revoke = useMutation({
    mutationFn: (tokenId: string) =>
      dataOf(api.DELETE('/tokens/{tokenId}', { params: { path: { tokenId } } })),
    onSuccess: () => {
      sayDone('The token was revoked.');
      return queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
    },
  });
  return (
    <section className="card" aria-labelledby="tokens">
      <h2 id="tokens">Access tokens</h2>
      <p className="quiet small">Scripts and other apps use the service with a token, in your name.</p>
      {error && <p className="field-error">{sentenceOf(error)}</p>}
      <ul className="lines">
        {tokens?.map(token => (
          <li key={token.id}>
            <div className="line-text">
              <p>{token.name}</p>
              <p className="small quiet">{describe(token)}</p>
            </div>
            <button
              type="button"
              className="button is-small"
              disabled={revoke.isPending}
              onClick={() => revoke.mutate(token.id)}
            >
              Revoke
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        New token
      </button>
      {isOpen && (
        <Suspense>
          <NewToken onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  );
}

function describe(token: Schemas['PersonalAccessToken']): string {
  const used = token.last_used_at === null ? 'never used' : `last used ${momentName(token.last_used_at)}`;
  const until =
    token.expires_at === null ? 'does not expire' : `until ${dateName(token.expires_at.slice(0, 10))}`;
  return `${token.scopes.join(', ')} · ${used} · ${until}`;
}
