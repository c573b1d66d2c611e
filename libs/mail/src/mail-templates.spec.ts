import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  alreadyRegisteredMail,
  emailChangeMail,
  emailChangeNoteMail,
  householdDeletedMail,
  inviteMail,
  passwordChangedMail,
  passwordResetMail,
  signUpMail,
  type MailContent,
} from './mail-templates.js';
import { checkMessage } from './mailer.js';

const AT = new Date('2026-03-01T12:30:00Z');
const LINK = 'https://budget.example/invites/a_B-3?x=1&y=2';

const invite = (names: { readonly inviterName?: string; readonly householdName?: string }): MailContent =>
  inviteMail({ inviterName: 'Ann', householdName: 'Home', ...names, expiresAt: AT, link: LINK });

/** One line, single spaces: what a reader reads. */
const flowed = (text: string): string => text.replace(/\s+/g, ' ');

const MAILS: Readonly<Record<string, MailContent>> = {
  signUp: signUpMail({ name: 'Ann', requestedAt: AT, link: LINK }),
  alreadyRegistered: alreadyRegisteredMail({ attempt: 'sign-up', requestedAt: AT, link: LINK }),
  emailTaken: alreadyRegisteredMail({ attempt: 'email-change', requestedAt: AT, link: LINK }),
  emailChange: emailChangeMail({ requestedAt: AT, link: LINK }),
  emailChangeNote: emailChangeNoteMail({ requestedAt: AT, link: LINK }),
  passwordReset: passwordResetMail({ requestedAt: AT, accessTokens: 0, link: LINK }),
  passwordChanged: passwordChangedMail({ changedAt: AT, how: 'changed', accessTokens: 0, link: LINK }),
  householdDeleted: householdDeletedMail({
    deletedAt: AT,
    householdName: 'Home',
    deleterName: 'Ann',
    link: LINK,
  }),
  householdDeletedByOperator: householdDeletedMail({
    deletedAt: AT,
    householdName: 'Home',
    deleterName: null,
    link: LINK,
  }),
  invite: invite({}),
};

describe('mail templates', () => {
  for (const [kind, mail] of Object.entries(MAILS)) {
    it(`${kind}: one link, on a line of its own and behind one button, nothing loaded from elsewhere`, () => {
      checkMessage({ id: 'a', to: 'ann@example.com', ...mail });
      assert.deepEqual(mail.links, [LINK]);
      assert.ok(mail.text.split('\n').includes(LINK));
      assert.equal(mail.text.match(/https?:/g)?.length, 1);
      assert.deepEqual(
        [...mail.html.matchAll(/href="([^"]*)"/g)].map(match => match[1]),
        [LINK.replace('&', '&amp;')],
      );
      assert.doesNotMatch(mail.html, /<(?:img|script|link|style|iframe)|\bsrc=|url\(/);
      for (const line of mail.text.split('\n')) assert.ok(line === LINK || line.length <= 72);
    });
  }

  it('says which name signed up, when, and for how long the link works', () => {
    const { text, html } = signUpMail({ name: 'Ann Lee', requestedAt: AT, link: LINK });
    for (const body of [flowed(text), flowed(html)]) {
      assert.match(body, /Ann Lee/);
      assert.match(body, /1 March 2026 at 12:30 UTC/);
      assert.match(body, /24 hours/);
    }
  });

  it('says how long a password link works', () => {
    assert.match(flowed(MAILS['passwordReset']?.text ?? ''), /within 1 hour/);
  });

  it('says with a password link how many access tokens stay valid', () => {
    const text = (accessTokens: number): string =>
      flowed(passwordResetMail({ requestedAt: AT, accessTokens, link: LINK }).text);
    assert.doesNotMatch(text(0), /personal access token/);
    assert.match(text(1), /Your personal access token stays valid/);
    assert.match(text(3), /Your 3 personal access tokens stay valid/);
  });

  it('says how the password changed and how many access tokens remain', () => {
    const text = (how: 'changed' | 'reset', accessTokens: number): string =>
      flowed(passwordChangedMail({ changedAt: AT, how, accessTokens, link: LINK }).text);
    assert.match(
      text('reset', 2),
      /was reset .* Every session was signed out\. Your 2 personal access tokens stay valid/,
    );
    assert.match(
      text('changed', 1),
      /was changed .* Every other session .* Your personal access token stays valid/,
    );
    assert.doesNotMatch(text('reset', 0), /personal access token/);
  });

  it('says who invites to what, and until when', () => {
    const text = flowed(invite({ inviterName: 'Ann Lee', householdName: 'Our Home' }).text);
    assert.match(
      text,
      /"Ann Lee" invites you to share the budget of the household "Our Home".* expires on 1 March 2026 at 12:30 UTC/,
    );
  });

  it('shows names as text, never as markup', () => {
    const { html } = invite({
      inviterName: `<b onclick='x'>&amp;"`,
      householdName: '<script>alert(1)</script>',
    });
    assert.doesNotMatch(html, /<b |<script/);
    assert.ok(html.includes('&lt;b onclick=&#39;x&#39;&gt;&amp;amp;&#39;'));
  });

  it('lets no name pass for a link, close its quotes, begin a line or turn the text around', () => {
    const hostile = [
      'evil.example',
      'https://evil.example/verify?token=1',
      'www.evil.example',
      'mail eve@evil.example now',
      'evil。example',
      'Ann" has paid. See "http://evil.example',
      'Ann\n\nhttps://evil.example\n',
      '\u202Eelpmaxe.live\u202C',
      '\u061C\uFEFFAnn\u2066\u2069\u200E\u200F',
      '„Ann‟ «has paid» “it” all',
    ];
    for (const name of hostile) {
      const { text, html } = invite({ inviterName: name, householdName: name });
      const prose = text.replace(LINK, '');
      assert.doesNotMatch(prose, /\w[.。@]\w|[a-z]:\S/, name);
      assert.doesNotMatch(prose, /[\u200E\u200F\u202A-\u202E\u2066-\u2069\u061C\uFEFF]/);
      assert.doesNotMatch(prose, /[“”„‟«»]/);
      assert.equal(prose.match(/"/g)?.length, 4, name);
      assert.match(text, /^"[^\n]*" invites you/);
      assert.equal(html.match(/<a /g)?.length, 1);
    }
  });

  it('keeps ordinary names whole', () => {
    const names = fc.stringMatching(/^[A-Za-z'-]{1,20}(?: [A-Za-z'-]{1,20}){0,3}$/);
    fc.assert(
      fc.property(names, name => {
        assert.ok(invite({ inviterName: name }).text.includes(`"${name}" invites you`));
        assert.ok(signUpMail({ name, requestedAt: AT, link: LINK }).text.includes(`"${name}"`));
      }),
    );
  });

  it('refuses a link that is none', () => {
    for (const link of ['javascript:alert(1)', 'budget.example', 'https://a b', 'https://a\n']) {
      assert.throws(() => passwordResetMail({ requestedAt: AT, accessTokens: 0, link }), RangeError);
    }
  });
});
