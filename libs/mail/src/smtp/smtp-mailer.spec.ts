import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { MailRefused, MailUnavailable, type MailMessage } from '../mailer.js';
import { readMessage } from '../mime-reader.fixture.js';
import { SmtpMailer, SmtpUrlError, parseSmtpUrl, type SmtpMailerOptions } from './smtp-mailer.js';

const PASSWORD = 's3cret/of?mail';
const FROM = { name: 'Household Ledger', address: 'ledger@example.com' };
const MESSAGE: MailMessage = {
  id: 'verify-1',
  to: 'ann@example.com',
  subject: 'Grüße',
  text: 'Hello\n.\n..dots\nhttps://budget.example/verify?token=abc\n',
  html: '<p>Hello</p>\n',
};

interface Delivery {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly user: string | undefined;
}

/** An answer of a mail server that refuses. */
function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

describe('smtp mailer', () => {
  let deliveries: Delivery[];
  let closing: (() => Promise<void>)[];

  beforeEach(() => {
    deliveries = [];
    closing = [];
  });
  afterEach(async () => {
    for (const close of closing.reverse()) await close();
  });

  /** @returns the port */
  async function serve(options: SMTPServerOptions = {}): Promise<number> {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      allowInsecureAuth: true,
      closeTimeout: 100,
      onData(stream, session, callback) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          deliveries.push({
            from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
            to: session.envelope.rcptTo.map(recipient => recipient.address),
            raw: Buffer.concat(chunks).toString('latin1'),
            user: session.user,
          });
          callback();
        });
      },
      ...options,
    });
    server.on('error', () => undefined);
    const listening = server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    closing.push(() => new Promise(resolve => server.close(() => resolve())));
    return portOf(listening);
  }

  /** A server that speaks no SMTP. @returns the port */
  async function serveRaw(onConnection: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>();
    const server = createServer(socket => {
      sockets.add(socket.on('error', () => undefined));
      onConnection(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    });
    return portOf(server);
  }

  function open(port: number, options: Partial<SmtpMailerOptions> = {}): SmtpMailer {
    const mailer = new SmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: FROM, ...options });
    closing.push(() => mailer.close());
    return mailer;
  }

  const withPassword = (port: number): string =>
    `smtp://ledger:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;

  it('delivers a message in a real conversation', async () => {
    await open(await serve()).send(MESSAGE);
    const [delivery] = deliveries;
    assert.equal(delivery?.from, 'ledger@example.com');
    assert.deepEqual(delivery.to, ['ann@example.com']);
    const { headers, text, html } = readMessage(delivery.raw);
    assert.equal(headers.get('message-id'), '<verify-1@example.com>');
    assert.equal(headers.get('subject'), 'Grüße');
    assert.equal(text, MESSAGE.text);
    assert.equal(html, MESSAGE.html);
  });

  it('sends many messages over few connections', async () => {
    let connections = 0;
    const port = await serve({
      onConnect(_, callback) {
        connections += 1;
        callback();
      },
    });
    const mailer = open(port);
    await Promise.all(Array.from({ length: 20 }, (_, index) => mailer.send({ ...MESSAGE, id: `m${index}` })));
    assert.equal(deliveries.length, 20);
    assert.ok(connections <= 3);
  });

  it('logs in with the credentials of its address', async () => {
    const port = await serve({
      authOptional: false,
      onAuth(auth, _, callback) {
        if (auth.username === 'ledger' && auth.password === PASSWORD) callback(null, { user: 'ledger' });
        else callback(new Error('no'));
      },
    });
    await open(port, { url: withPassword(port) }).send(MESSAGE);
    assert.equal(deliveries[0]?.user, 'ledger');
  });

  it('keeps the credentials out of its errors, and may try again', async () => {
    const port = await serve({
      onAuth: (auth, _, callback) => callback(new Error(`wrong: ${auth.username} ${auth.password}`)),
    });
    const mailer = open(port, { url: withPassword(port) });
    await assert.rejects(mailer.send(MESSAGE), (error: unknown) => {
      assert.ok(error instanceof MailUnavailable);
      assert.match(error.message, /rejected the credentials \(535\)/);
      assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(PASSWORD));
      return true;
    });
  });

  it('sends no password to a far server without TLS', () => {
    assert.equal(parseSmtpUrl('smtp://user:pass@mail.example.com').requireTLS, true);
    for (const near of ['localhost', '127.0.0.1', '127.9.9.9', '[::1]']) {
      assert.equal(parseSmtpUrl(`smtp://user:pass@${near}`).requireTLS, false, near);
      assert.equal(parseSmtpUrl(`smtp://user:pass@${near.replace(/\W/g, '')}.example.com`).requireTLS, true);
    }
    for (const far of ['localhost.example.com', 'my.localhost', 'notlocalhost']) {
      assert.equal(parseSmtpUrl(`smtp://user:pass@${far}`).requireTLS, true, far);
    }
    assert.equal(parseSmtpUrl('smtps://user:pass@mail.example.com').requireTLS, false);
  });

  it('sends no password where STARTTLS is asked for and not offered', async () => {
    let logins = 0;
    const port = await serve({
      onAuth(_, __, callback) {
        logins += 1;
        callback(null, { user: 'ledger' });
      },
    });
    // Any name but a loopback one; the system resolves it to the server all the same.
    const url = withPassword(port).replace('127.0.0.1', '[::ffff:127.0.0.1]');
    await assert.rejects(open(port, { url }).send(MESSAGE), {
      name: 'MailUnavailable',
      message: /command not recognized/,
    });
    assert.equal(logins, 0);
    assert.deepEqual(deliveries, []);
  });

  for (const code of [421, 450, 451, 452]) {
    it(`may try again after ${code} to the addressee`, async () => {
      const port = await serve({
        onRcptTo: (_, __, callback) => callback(refusal(code, '4.7.1 ann@example.com is greylisted')),
      });
      await assert.rejects(open(port).send(MESSAGE), (error: unknown) => {
        assert.ok(error instanceof MailUnavailable);
        assert.match(error.message, new RegExp(`${code} 4.7.1 … is greylisted`));
        return true;
      });
    });
  }

  for (const code of [550, 552, 553, 554]) {
    it(`gives up after ${code} to the addressee`, async () => {
      const port = await serve({
        onRcptTo: (_, __, callback) => callback(refusal(code, 'no such mailbox')),
      });
      await assert.rejects(open(port).send(MESSAGE), (error: unknown) => {
        assert.ok(error instanceof MailRefused);
        assert.equal(error.permanent, true);
        return true;
      });
    });
  }

  for (const [code, text] of [
    [554, '5.7.1 <ann@example.com>: Relay access denied'],
    [553, '5.7.1 <ledger@example.com>: Sender address rejected: not owned by user'],
    [504, '5.5.2 <ledger@localhost>: Sender address rejected: need fully-qualified address'],
    [550, '5.1.8 <ledger@example.com>: Sender address rejected: Domain not found'],
    [530, 'Must issue a STARTTLS command first'],
    [503, 'Bad sequence of commands'],
  ] as const) {
    it(`may try again after ${code} ${text}, though it is said of the addressee`, async () => {
      const port = await serve({ onRcptTo: (_, __, callback) => callback(refusal(code, text)) });
      await assert.rejects(open(port).send(MESSAGE), MailUnavailable);
    });
  }

  it('names a certificate that nobody can trust', async () => {
    const port = await serve({ disabledCommands: [], logger: false });
    await assert.rejects(open(port).send(MESSAGE), {
      name: 'MailUnavailable',
      message: /^the certificate of the mail server is not trusted \(/,
    });
  });

  it('tells nobody the link that a filter quotes', async () => {
    const secret = 'Zk3_'.repeat(10);
    for (const quoted of [
      `https://budget.example/verify?token=${secret}`,
      `token=${secret}`,
      'token=short',
      `(${secret})`,
    ]) {
      const port = await serve({
        onData(stream, _, callback) {
          stream.resume();
          stream.on('end', () => callback(refusal(554, `blacklisted URL ${quoted} found`)));
        },
      });
      await assert.rejects(open(port).send(MESSAGE), {
        name: 'MailRefused',
        message: 'the mail server responded: 554 blacklisted URL … found',
      });
    }
  });

  it('tells a long answer in one line of bounded length, without what could rule a terminal', async () => {
    const answer = `550-no\u001B[2J\r\n550 ${'and no '.repeat(100)}\r\n`;
    const port = await serveRaw(socket => {
      socket.write('220 hello\r\n');
      socket.on('data', line => socket.write(line.toString().startsWith('RCPT') ? answer : '250 ok\r\n'));
    });
    await assert.rejects(open(port).send(MESSAGE), (error: unknown) => {
      assert.ok(error instanceof MailRefused);
      assert.match(error.message, /^the mail server responded: 550-no [^\p{Cc}]*$/u);
      assert.equal(error.message.length, 'the mail server responded: '.length + 200);
      return true;
    });
  });

  it('tells a final refusal of the message from a passing one', async () => {
    for (const [code, kind] of [
      [554, MailRefused],
      [451, MailUnavailable],
    ] as const) {
      const port = await serve({
        onData(stream, _, callback) {
          stream.resume();
          stream.on('end', () => callback(refusal(code, 'spam?')));
        },
      });
      await assert.rejects(open(port).send(MESSAGE), kind);
    }
  });

  it('may try again when the server refuses the sender: that is for the operator to set right', async () => {
    const port = await serve({
      onMailFrom: (_, __, callback) => callback(refusal(550, 'sender not allowed')),
    });
    await assert.rejects(open(port).send(MESSAGE), MailUnavailable);
  });

  it('goes on after a refusal', async () => {
    const port = await serve({
      onRcptTo: ({ address }, _, callback) =>
        callback(address.startsWith('eve') ? refusal(550, 'no') : undefined),
    });
    const mailer = open(port);
    await assert.rejects(mailer.send({ ...MESSAGE, to: 'eve@example.com' }), MailRefused);
    await mailer.send(MESSAGE);
    assert.equal(deliveries.length, 1);
  });

  it('cuts and rejects every mail that waits when it closes', { timeout: 30_000 }, async () => {
    const mailer = open(await serveRaw(() => undefined));
    const waiting = Promise.allSettled(
      Array.from({ length: 100 }, (_, index) => mailer.send({ ...MESSAGE, id: `m${index}` })),
    );
    await mailer.close();
    assert.deepEqual(new Set((await waiting).map(({ status }) => status)), new Set(['rejected']));
  });

  it('sends more than a hundred mails, one after the other, also after refusals', async () => {
    const port = await serve({
      onRcptTo: ({ address }, _, callback) =>
        callback(address.startsWith('eve') ? refusal(550, 'no') : undefined),
    });
    const mailer = open(port);
    for (let pair = 0; pair < 52; pair += 1) {
      await assert.rejects(mailer.send({ ...MESSAGE, to: 'eve@example.com' }), MailRefused);
      await mailer.send({ ...MESSAGE, id: `m${pair}` });
    }
    assert.equal(deliveries.length, 52);
  });

  it('does not wait for ever for a server that says nothing', { timeout: 30_000 }, async () => {
    const port = await serveRaw(() => undefined);
    await assert.rejects(open(port, { greetingMs: 100 }).send(MESSAGE), {
      name: 'MailUnavailable',
      message: /did not respond in time/,
    });
  });

  it('does not wait for ever for one that falls silent', { timeout: 30_000 }, async () => {
    const port = await serveRaw(socket => socket.write('220 hello\r\n'));
    await assert.rejects(open(port, { silentMs: 100 }).send(MESSAGE), MailUnavailable);
  });

  it('does not wait for ever for one that trickles', { timeout: 30_000 }, async () => {
    const port = await serveRaw(socket => {
      const drip = setInterval(() => socket.write('220-wait\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    // Nothing but the bound of the whole ends this one.
    const others = { connectMs: 600_000, greetingMs: 600_000, silentMs: 600_000 };
    const mailer = open(port, { sendMs: 300, ...others });
    await assert.rejects(mailer.send(MESSAGE), {
      name: 'MailUnavailable',
      message: /did not respond in time/,
    });
  });

  it('may try again where nothing listens', async () => {
    const port = await serveRaw(() => undefined);
    await closing.pop()?.();
    await assert.rejects(open(port).send(MESSAGE), {
      name: 'MailUnavailable',
      message: /cannot be reached/,
    });
  });

  it('may try again when the connection breaks', async () => {
    const port = await serveRaw(socket => {
      socket.write('220 hello\r\n');
      socket.on('data', () => socket.destroy());
    });
    await assert.rejects(open(port).send(MESSAGE), MailUnavailable);
  });

  it('lets nothing of a user become a header or an addressee', async () => {
    const mailer = open(await serve());
    for (const changes of [
      { subject: 'Hi\r\nBcc: eve@example.com' },
      { subject: 'Hi\nX: y' },
      { to: 'ann@example.com\r\nRCPT TO:<eve@example.com>' },
      { to: 'ann@example.com, eve@example.com' },
      { to: 'ann@example.com> SIZE=1' },
    ]) {
      await assert.rejects(mailer.send({ ...MESSAGE, ...changes }), MailRefused);
    }
    assert.deepEqual(deliveries, []);
  });

  it('closes in time although a message hangs', { timeout: 30_000 }, async () => {
    const port = await serveRaw(() => undefined);
    const mailer = open(port, { greetingMs: 500 });
    const sent = assert.rejects(mailer.send(MESSAGE), MailUnavailable);
    await mailer.close();
    await sent;
  });

  it('reads its address, and never repeats it', () => {
    assert.deepEqual(parseSmtpUrl('smtp://mail.example.com'), {
      host: 'mail.example.com',
      port: 587,
      secure: false,
      requireTLS: false,
    });
    assert.equal(parseSmtpUrl('smtps://mail.example.com').port, 465);
    assert.deepEqual(parseSmtpUrl('smtps://u%40x:p%2Fw@[::1]:2465'), {
      host: '::1',
      port: 2465,
      secure: true,
      requireTLS: false,
      auth: { user: 'u@x', pass: 'p/w' },
    });
    for (const url of ['', 'mail.example.com:25', 'http://u:s3cret@host', 'smtp://']) {
      assert.throws(
        () => parseSmtpUrl(url),
        (error: unknown) => error instanceof SmtpUrlError && !error.message.includes('s3cret'),
      );
    }
    for (const url of ['smtp://u:s3cret%p@host', 'smtp://u%:s3cret@host', 'smtp://u:s3cret%ff@host']) {
      assert.throws(
        () => parseSmtpUrl(url),
        (error: unknown) => error instanceof SmtpUrlError && /^SMTP_URL has [^\n]*\.$/.test(error.message),
      );
    }
  });
});

function portOf(server: Pick<Server, 'address'>): number {
  return (server.address() as AddressInfo).port;
}
