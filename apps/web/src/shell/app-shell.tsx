import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useMemo, useRef } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { apiOf } from '../api/client.js';
import { useChanges } from '../api/changes.js';
import { meQuery, settingsQuery } from '../api/queries.js';
import type { Me, Settings } from '../api/types.js';
import { sentenceOf } from '../api/sentences.js';
import { moneyOf } from '../format/money.js';
import { sendWaitingOf } from '../offline/waiting.js';
import { noteSignedIn } from '../session/lost-session.js';
import { Loading } from '../ui/loading.js';
import { SessionContext, type Session } from './household-context.js';
import { Navigation } from './navigation.js';
import { OwnInvites } from './own-invites.js';
import { PageFailure } from './page-failure.js';
import { shownHouseholdOf } from './shown-household.js';
import { applyTheme } from './theme.js';

const DEFAULT_SETTINGS: Settings = { column_view: 'remaining', location_opt_in: false, theme: 'system' };

/** What is around every page of somebody who is signed in. */
export function AppShell() {
  const me = useQuery(meQuery);
  // Somebody who is not signed in has none.
  const settings = useQuery({ ...settingsQuery, enabled: Boolean(me.data) });
  const { pathname, search } = useLocation();
  if (me.data === null) {
    const next = pathname === '/' ? '' : `?next=${encodeURIComponent(pathname + search)}`;
    return <Navigate to={`/sign-in${next}`} replace />;
  }
  if (me.data) return <SignedIn me={me.data} settings={settings.data ?? DEFAULT_SETTINGS} />;
  if (me.error) {
    return (
      <main className="notice">
        <h1>Household Ledger</h1>
        <p role="alert">{sentenceOf(me.error)}</p>
        <button type="button" className="button" onClick={() => void me.refetch()}>
          Try again
        </button>
      </main>
    );
  }
  return <Loading />;
}

function SignedIn({ me, settings }: { readonly me: Me; readonly settings: Settings }) {
  useEffect(noteSignedIn, []);
  useEffect(() => applyTheme(settings.theme), [settings.theme]);
  const session = useMemo(() => sessionOf(me, settings), [me, settings]);
  useChanges(session.household.id);
  useEffect(() => sendWaitingOf(me.user.id), [me.user.id]);
  const { pathname } = useLocation();
  usePageStart(pathname.split('/')[1] ?? '');
  return (
    <SessionContext value={session}>
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <div className="shell">
        <Navigation />
        <main id="content" tabIndex={-1}>
          <OwnInvites />
          {session.household.archived && (
            <p className="banner">This budget is archived. You can look at it, but not change it.</p>
          )}
          <PageFailure page={pathname}>
            <Suspense fallback={<Loading />}>
              <Outlet />
            </Suspense>
          </PageFailure>
        </main>
      </div>
    </SessionContext>
  );
}

/** Another page begins at its top, for the eyes and for the keyboard. */
function usePageStart(page: string): void {
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    window.scrollTo(0, 0);
    // A page that has put the focus into a field of its own keeps it there.
    if (document.activeElement?.closest('main') === null) document.getElementById('content')?.focus();
  }, [page]);
}

function sessionOf(me: Me, settings: Settings): Session {
  const household = shownHouseholdOf(me);
  return { me, household, settings, money: moneyOf(household.currency), api: apiOf(household.id) };
}
