import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { BrowserRouter, Navigate, Route, Routes } from 'react-router';
import { APP_BASE } from './api/base.js';
import { queryClient } from './api/query-client.js';
import { thisMonth } from './format/dates.js';
import { loadedPage, PAGES, type PageName } from './pages.js';
import { AppShell } from './shell/app-shell.js';
import { PageFailure } from './shell/page-failure.js';
import { ToastRegion } from './ui/toast-region.js';
import { UrgentDialogs } from './ui/urgent-dialogs.js';

const MonthPage = page('months');
const TransactionsPage = page('transactions');
const AddPage = page('add');
const ImportPage = page('import');
const ActivityPage = page('activity');
const ReportsPage = page('reports');
const HouseholdPage = page('household');
const AccountPage = page('account');
const SignInPage = page('sign-in');
const SignUpPage = page('sign-up');
const ForgotPage = page('forgot');
const ResetPage = page('reset');
const VerifyPage = page('verify');
const ConfirmEmailPage = page('confirm-email');
const InvitePage = page('invites');
const NotFoundPage = lazy(() => import('./shell/not-found-page.js'));

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter basename={APP_BASE}>
        <PageFailure>
          <Suspense>
            <Pages />
          </Suspense>
        </PageFailure>
        <UrgentDialogs />
        <ToastRegion />
      </BrowserRouter>
    </QueryClientProvider>
  );
}

/** A page is loaded when it is shown. What is there already is drawn at once: React shows a fallback for 300 ms. */
function page(name: PageName) {
  const Loading = lazy(PAGES[name]);
  return function Page() {
    const [Shown] = useState(() => loadedPage(name) ?? Loading);
    return <Shown />;
  };
}

function Pages() {
  return (
    <Routes>
      <Route path="/sign-in" element={<SignInPage />} />
      <Route path="/sign-up" element={<SignUpPage />} />
      <Route path="/forgot" element={<ForgotPage />} />
      <Route path="/reset" element={<ResetPage />} />
      <Route path="/verify" element={<VerifyPage />} />
      <Route path="/confirm-email" element={<ConfirmEmailPage />} />
      <Route path="/invites/:token" element={<InvitePage />} />
      <Route element={<AppShell />}>
        <Route index element={<Navigate to={`/months/${thisMonth()}`} replace />} />
        <Route path="/months/:month" element={<MonthPage />} />
        <Route path="/transactions" element={<TransactionsPage />} />
        <Route path="/add" element={<AddPage />} />
        <Route path="/import" element={<ImportPage />} />
        <Route path="/activity" element={<ActivityPage />} />
        <Route path="/reports" element={<ReportsPage />} />
        <Route path="/household" element={<HouseholdPage />} />
        <Route path="/account" element={<AccountPage />} />
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}
