// Limits that two libraries state, each for itself, since neither may import the other: that they say the same.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RESET_MS } from '#identity/accounts/password-resets';
import { VERIFICATION_MS } from '#identity/accounts/sign-up-records';
import { passwordResetMail, signUpMail } from '#mail/mail-templates';

const HOUR_MS = 3_600_000;
const AT = new Date('2026-01-31T12:00:00Z');
const LINK = 'https://ledger.example/link';

describe('libraries that do not know each other agree', () => {
  it('on how long a mailed link works, and what the mail says of it', () => {
    const signUp = signUpMail({ name: 'Ada', requestedAt: AT, link: LINK });
    assert.match(signUp.text, new RegExp(`\\bwithin\\s${VERIFICATION_MS / HOUR_MS}\\shours\\b`));
    const reset = passwordResetMail({ requestedAt: AT, accessTokens: 0, link: LINK });
    assert.match(reset.text, new RegExp(`\\bwithin\\s${RESET_MS / HOUR_MS}\\shour\\b`));
  });
});
