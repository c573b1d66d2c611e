/** The month that the pages show. */
export const MONTH = '2026-11';

/** Addresses, whether one has to be signed in, and what is there once the page is complete. */
export const PAGES: readonly (readonly [path: string, isSignedIn: boolean, heading: RegExp])[] = [
  ['sign-in', false, /sign in/i],
  ['sign-up', false, /account|sign up/i],
  ['forgot', false, /password/i],
  ['reset?token=none', false, /password/i],
  ['verify?token=none', false, /./],
  ['confirm-email?token=none', false, /./],
  ['invites/none', false, /./],
  [`months/${MONTH}`, true, /^November 2026$/],
  [`months/${MONTH}?as_of=2026-11-02`, true, /./],
  ['months/2031-01', true, /^January 2031$/],
  ['transactions?view=all', true, /transactions/i],
  ['add', true, /new transaction/i],
  ['import', true, /import/i],
  ['activity', true, /activity/i],
  ['reports', true, /reports/i],
  ['household', true, /./],
  ['account', true, /./],
];

/** A refused link is told by the service, which the console repeats. */
export const REFUSED = [/Failed to load resource: the server responded with a status of (?:401|404|410|422)/];
