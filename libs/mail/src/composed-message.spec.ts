import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTransport } from 'nodemailer';
import { composedMessage } from './composed-message.js';
import {
  MailRefused,
  checkMessage,
  isMailable,
  parseMailbox,
  wireAddress,
  type Mailbox,
  type MailMessage,
} from './mailer.js';
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

const COMPOSER = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

async function written(changes: Partial<MailMessage> = {}, from: Mailbox = FROM): Promise<string> {
  const { message } = await COMPOSER.sendMail(composedMessage(from, { ...MESSAGE, ...changes }, AT));
  assert.ok(Buffer.isBuffer(message));
  return message.toString('latin1');
}

describe('a composed message', () => {
  it('has the headers of RFC 5322 and both bodies', async () => {
    const { headers, text, html } = readMessage(await written());
    const { 'content-type': contentType, ...others } = Object.fromEntries(headers);
    assert.match(contentType ?? '', /^multipart\/alternative; boundary="[^"]+"$/);
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

  it('leaves ASCII text as it is, with the link in one piece', async () => {
    const raw = await written();
    assert.deepEqual(readMessage(raw).encodings, ['7bit', '7bit']);
    assert.ok(raw.includes(`\r\n${LINK}\r\n`));
    assert.ok(raw.includes(`<a href="${LINK}">`));
  });

  it('encodes other text as quoted-printable, never base64', async () => {
    const text = `${'私の家計簿 🏡 '.repeat(20)} \n${LINK}\n`;
    const read = readMessage(await written({ text }));
    assert.deepEqual(read.encodings, ['quoted-printable', '7bit']);
    assert.equal(read.text, text);
  });

  it('breaks a link only where the line is longer than any may be', async () => {
    for (const [length, encoding] of [
      [998, '7bit'],
      [999, 'quoted-printable'],
    ] as const) {
      const text = `${LINK.padEnd(length, 'x')}\n`;
      const read = readMessage(await written({ text }));
      assert.deepEqual([read.encodings[0], read.text], [encoding, text]);
    }
  });

  it('brings subjects through unchanged, whatever they hold', async () => {
    for (const subject of [
      'word '.repeat(40).trim(),
      `Grüße ${'私の家計簿 🏡 '.repeat(9)}.`,
      'To: eve@example.com, "Bcc": eve@example.com',
    ]) {
      const raw = await written({ subject });
      const { headers } = readMessage(raw);
      assert.equal(headers.get('subject'), subject);
      assert.equal(headers.get('to'), 'ann@example.com');
      const [head = ''] = raw.split('\r\n\r\n');
      for (const line of head.split('\r\n')) assert.match(line, /^[\x20-\x7e]{1,78}$/);
    }
  });

  it('encodes the name of the sender and the domain of an address', async () => {
    const from = { name: 'Büro, "Haus"', address: 'post@bücher.example' };
    const { headers } = readMessage(await written({ to: 'ann@straße.example' }, from));
    assert.equal(headers.get('from'), 'Büro, "Haus" <post@xn--bcher-kva.example>');
    assert.equal(headers.get('to'), 'ann@xn--strae-oqa.example');
    assert.equal(headers.get('message-id'), '<verify-1@xn--bcher-kva.example>');
  });

  it('has one addressee, whatever the address holds', async () => {
    for (const to of ["o'neil+tag@example.com", 'ann%eve=x@example.com', 'ünï@example.com']) {
      checkMessage({ ...MESSAGE, to });
      const { envelope } = await COMPOSER.sendMail(composedMessage(FROM, { ...MESSAGE, to }, AT));
      assert.deepEqual(envelope, { from: FROM.address, to: [to] });
    }
    assert.throws(() => composedMessage(FROM, { ...MESSAGE, to: 'ann@example.com﹐root' }, AT), MailRefused);
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
