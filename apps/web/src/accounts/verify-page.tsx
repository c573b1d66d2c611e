import { Link, Navigate, useSearchParams } from 'react-router';
import { hasCode, sentenceOf } from '../api/sentences.js';
import { thisMonth } from '../format/dates.js';
import { verify } from '../session/session-commands.js';
import { AccountFrame } from './account-frame.js';
import { useOnce } from './use-once.js';

export default function VerifyPage() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const verified = useOnce(`verify ${token}`, () => verify(token));
  if (verified.state === 'done') return <Navigate to={`/months/${thisMonth()}`} replace />;
  if (verified.state === 'running') {
    return (
      <AccountFrame title="One moment">
        <p role="status">Confirming your address …</p>
      </AccountFrame>
    );
  }
  if (hasCode(verified.error, 'not_invited')) {
    return (
      <AccountFrame title="Your address is confirmed">
        <p>
          This service is open by invitation only. Ask a member of a household to invite your address, then
          sign in.
        </p>
        <Link className="button" to="/sign-in">
          Go to signing in
        </Link>
      </AccountFrame>
    );
  }
  return (
    <AccountFrame title="This link does not work">
      <p role="alert">{sentenceOf(verified.error)}</p>
      <p className="quiet">
        If you have confirmed your address already, just sign in. Otherwise sign up once more.
      </p>
      <p className="account-links">
        <Link to="/sign-in">Go to signing in</Link>
        <Link to="/sign-up">Sign up</Link>
      </p>
    </AccountFrame>
  );
}
