import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  MailRefused,
  checkMessage,
  isMailable,
  parseMailbox,
  wireAddress,
  type MailMessage,
} from './mailer.js';
import { mimeMessage } from './mime-message.js';
import { readMessage } from './mime-reader.fixture.js';

const FROM = { name: 'Household Ledger', address: 'ledger@example.com' };
const AT = new Date('2026-03-01T12:30:00.123Z');
const LINK = `https://budget.example/verify?token=${'k'.repeat(86)}`;
const MESSAGE: MailMessage = {
  id: 'verify-1',
  to: 'ann@example.com',
  subject: 'Confirm your e-mail address',
  text: `Hello\n\n${LINK}\n\nBye\n`,
  html: `<p>Hello</p>\n<a href="${LINK}">Confirm</a>\n`,
};

const written = (changes: Partial<MailMessage> = {}): string =>
  mimeMessage(FROM, { ...MESSAGE, ...changes }, AT);

describe('mime message', () => {
  it('has the headers of RFC 5322 and both bodies', () => {
    const { headers, text, html } = readMessage(written());
    const { 'content-type': contentType, ...others } = Object.fromEntries(headers);
    assert.match(contentType ?? '', /^multipart\/alternative; boundary="=_[0-9a-f]+"$/);
    assert.deepEqual(others, {
      from: 'Household Ledger <ledger@example.com>',
      to: 'ann@example.com',
      subject: 'Confirm your e-mail address',
      date: 'Sun, 01 Mar 2026 12:30:00 +0000',
      'message-id': '<verify-1@example.com>',
      'auto-submitted': 'auto-generated',
      'mime-version': '1.0',
    });
    assert.equal(text, MESSAGE.text);
    assert.equal(html, MESSAGE.html);
  });

  it('leaves ASCII text as it is, with the link in one piece', () => {
    const raw = written();
    assert.deepEqual(readMessage(raw).encodings, ['7bit', '7bit']);
    assert.ok(raw.includes(`\r\n${LINK}\r\n`));
  });

  it('encodes other text as quoted-printable, never base64', () => {
    const { encodings, text } = readMessage(written({ text: `Grüße 🏡\n${LINK}\n` }));
    assert.deepEqual(encodings, ['quoted-printable', '7bit']);
    assert.ok(text.includes(LINK));
  });

  it('encodes lines that are too long', () => {
    const text = `${'long '.repeat(40)}\n${LINK}${'x'.repeat(1_000)}\n`;
    const read = readMessage(written({ text }));
    assert.equal(read.encodings[0], 'quoted-printable');
    assert.equal(read.text, text);
  });

  it('breaks a link only where the line is longer than any may be', () => {
    for (const [length, encoding] of [
      [998, '7bit'],
      [999, 'quoted-printable'],
    ] as const) {
      const text = `${LINK.padEnd(length, 'x')}\n`;
      const read = readMessage(written({ text }));
      assert.deepEqual([read.encodings[0], read.text], [encoding, text]);
    }
  });

  it('encodes white space at the end of a line, which would be dropped on the way', () => {
    for (const blank of [' ', '\t', '  ', ' \t']) {
      const text = `Grüße${blank}\nAnn\n`;
      assert.equal(readMessage(written({ text })).text, text);
    }
  });

  it('brings any subject and any text through unchanged', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 200 }).map(text => text.replace(/\p{Cc}/gu, ''));
    const lines = fc.array(line, { maxLength: 8 }).map(all => `${all.join('\n').replace(/\n+$/, '')}\n`);
    const subjects = line.filter(text => text.length > 0 && text.trim() === text);
    fc.assert(
      fc.property(subjects, lines, lines, (subject, text, html) => {
        const raw = written({ subject, text, html });
        const read = readMessage(raw);
        assert.equal(read.headers.get('subject'), subject);
        assert.equal(read.text, text);
        assert.equal(read.html, html);
        const [head = ''] = raw.split('\r\n\r\n');
        for (const headerLine of head.split('\r\n')) assert.match(headerLine, /^[\x20-\x7e]{1,78}$/);
      }),
    );
  });

  it('does not take a subject for an encoded word', () => {
    const subject = '=?UTF-8?Q?paid?= invoice';
    const raw = written({ subject });
    assert.ok(!raw.includes(subject));
    assert.equal(readMessage(raw).headers.get('subject'), subject);
  });

  it('folds a long subject', () => {
    const subject = 'word '.repeat(40).trim();
    assert.equal(readMessage(written({ subject })).headers.get('subject'), subject);
  });

  it('encodes the name of the sender and the domain of an address', () => {
    const from = { name: 'Büro, "Haus"', address: 'post@bücher.example' };
    const { headers } = readMessage(mimeMessage(from, { ...MESSAGE, to: 'ann@straße.example' }, AT));
    assert.equal(headers.get('from'), 'Büro, "Haus" <post@xn--bcher-kva.example>');
    assert.equal(headers.get('to'), 'ann@xn--strae-oqa.example');
    assert.equal(headers.get('message-id'), '<verify-1@xn--bcher-kva.example>');
  });
});

describe('mail message checks', () => {
  it('refuses whatever could become another header or addressee', () => {
    const breaks = ['\r\n', '\n', '\r', '\u2028', '\u0000', '\u0085', '\u001B[2J'];
    for (const bad of breaks) {
      assert.throws(() => checkMessage({ ...MESSAGE, subject: `Hi${bad}Bcc: eve@example.com` }), MailRefused);
      assert.throws(() => checkMessage({ ...MESSAGE, to: `ann@example.com${bad}Bcc: eve` }), MailRefused);
      assert.throws(() => checkMessage({ ...MESSAGE, id: `a${bad}` }), MailRefused);
    }
    for (const to of [
      'ann@example.com, eve@example.com',
      'Ann <ann@example.com>',
      'ann',
      '<ann@example.com>',
    ]) {
      assert.throws(() => checkMessage({ ...MESSAGE, to }), MailRefused);
    }
    assert.throws(() => checkMessage({ ...MESSAGE, subject: 'x'.repeat(401) }), MailRefused);
    assert.throws(() => checkMessage({ ...MESSAGE, id: 'x'.repeat(121) }), MailRefused);
    checkMessage({ ...MESSAGE, id: 'x'.repeat(120), subject: 'x'.repeat(400) });
    assert.throws(() => checkMessage({ ...MESSAGE, html: 'x'.repeat(300_000) }), MailRefused);
    checkMessage(MESSAGE);
  });

  it('knows which addresses can get mail', () => {
    for (const good of ['a@b', "o'neil+tag@example.com", 'ünï@bücher.example', 'a.b-c_d@sub.example.com']) {
      assert.ok(isMailable(good), good);
    }
    const long = `${'a'.repeat(250)}@b.example`;
    for (const bad of [
      '',
      '@b',
      'a@',
      'a b@c',
      'a\u00A0b@c',
      'a@b@c',
      '"a"@b',
      'a@[127.0.0.1]',
      'a@b.',
      long,
    ]) {
      assert.ok(!isMailable(bad), bad);
    }
  });

  it('reads who mails come from', () => {
    assert.deepEqual(parseMailbox('a@b.example'), { name: '', address: 'a@b.example' });
    assert.deepEqual(parseMailbox(' Our Ledger <a@b.example> '), {
      name: 'Our Ledger',
      address: 'a@b.example',
    });
    assert.deepEqual(parseMailbox('"Ledger, Inc." <a@b.example>'), {
      name: 'Ledger, Inc.',
      address: 'a@b.example',
    });
    for (const bad of [
      '',
      'Ledger',
      'Ledger <a>',
      'a@b.example\nBcc: c@d.example',
      'L\n <a@b.example>',
      'a@192.168.1.300',
    ]) {
      assert.throws(() => parseMailbox(bad), RangeError);
    }
  });

  it('makes no other addressees of what DNS cannot have', () => {
    assert.equal(wireAddress('ann@bücher.example'), 'ann@xn--bcher-kva.example');
    for (const bad of ['ann@example.com﹐root', 'ann@example.com⑴', 'ann@example.com﹔root', 'ann@host.1']) {
      assert.throws(() => wireAddress(bad), MailRefused, bad);
    }
  });
});
