import { lazy, Suspense } from 'react';
import { isSessionLost } from '../session/lost-session.js';
import { useSignal } from './signal.js';
import { questions } from './which.js';

const SignInAgain = lazy(() => import('../session/sign-in-again.js'));
const WhichVersion = lazy(() => import('./which-version.js'));

/** What has to be answered above whatever page is shown. */
export function UrgentDialogs() {
  const [question] = useSignal(questions);
  const isLost = useSignal(isSessionLost);
  return (
    <Suspense>
      {question && <WhichVersion question={question} />}
      {isLost && <SignInAgain />}
    </Suspense>
  );
}
