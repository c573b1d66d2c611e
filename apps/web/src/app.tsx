import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { BrowserRouter, Navigate, Route, Routes } from 'react-router';
import { APP_BASE } from './api/client.js';
import { queryClient } from './api/query-client.js';
import { thisMonth } from './format/dates.js';
import { AppShell } from './shell/app-shell.js';
import { PageFailure } from './shell/page-failure.js';
import { ToastRegion } from './ui/toast-region.js';
import { SignInAgain } from './session/sign-in-again.js';
import { WhichVersion } from './ui/which.js';

// Each page is loaded when it is shown.
const MonthPage = lazy(() => import('./month/month-page.js'));
const TransactionsPage = lazy(() => import('./transactions/transactions-page.js'));
const AddPage = lazy(() => import('./add/add-page.js'));
const ImportPage = lazy(() => import('./import/import-page.js'));
const ActivityPage = lazy(() => import('./activity/activity-page.js'));
const ReportsPage = lazy(() => import('./reports/reports-page.js'));
const HouseholdPage = lazy(() => import('./household/household-page.js'));
const AccountPage = lazy(() => import('./account/account-page.js'));
const SignInPage = lazy(() => import('./accounts/sign-in-page.js'));
const SignUpPage = lazy(() => import('./accounts/sign-up-page.js'));
const ForgotPage = lazy(() => import('./accounts/forgot-page.js'));
const ResetPage = lazy(() => import('./accounts/reset-page.js'));
const VerifyPage = lazy(() => import('./accounts/verify-page.js'));
const ConfirmEmailPage = lazy(() => import('./accounts/confirm-email-page.js'));
const InvitePage = lazy(() => import('./accounts/invite-page.js'));
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
        <WhichVersion />
        <SignInAgain />
        <ToastRegion />
      </BrowserRouter>
    </QueryClientProvider>
  );
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
