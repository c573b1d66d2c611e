import { Link, useSearchParams } from 'react-router';
import { queryClient } from '../api/query-client.js';
import { meQuery } from '../api/queries.js';
import { sentenceOf } from '../api/sentences.js';
import { confirmEmail } from '../account/email-commands.js';
import { AccountFrame } from './account-frame.js';
import { useOnce } from './use-once.js';

export default function ConfirmEmailPage() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const confirmed = useOnce(`confirm ${token}`, async () => {
    await confirmEmail(token);
    await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
  });
  if (confirmed.state === 'running') {
    return (
      <AccountFrame title="One moment">
        <p role="status">Confirming your new address …</p>
      </AccountFrame>
    );
  }
  const isDone = confirmed.state === 'done';
  return (
    <AccountFrame title={isDone ? 'Your new address is confirmed' : 'This link does not work'}>
      {isDone ? (
        <p role="status">From now on you sign in with it.</p>
      ) : (
        <p role="alert">
          {sentenceOf(confirmed.error)} You can ask for another one on the page of your account.
        </p>
      )}
      <Link className="button" to="/">
        Go to your budget
      </Link>
    </AccountFrame>
  );
}
