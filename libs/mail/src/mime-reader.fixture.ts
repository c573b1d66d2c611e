import assert from 'node:assert/strict';

/** A message as a simple reader sees it. */
interface ReadMessage {
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
  /** Transfer encodings of the text and the HTML. */
  readonly encodings: readonly string[];
}

/** Reads what a mailer writes, and no more: headers once each, two parts, 7bit or quoted-printable. */
export function readMessage(raw: string): ReadMessage {
  assert.doesNotMatch(raw, /(?<!\r)\n|\r(?!\n)/, 'lines end in CRLF');
  const headers = headersOf(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1];
  assert.ok(boundary !== undefined);
  const [, ...sections] = raw.split(`--${boundary}`);
  assert.equal(sections.pop(), '--\r\n');
  const parts = sections.map(section => {
    const part = section.slice('\r\n'.length);
    const encoding = headersOf(part).get('content-transfer-encoding') ?? '';
    const body = part.slice(part.indexOf('\r\n\r\n') + 4, -'\r\n'.length);
    return { encoding, type: headersOf(part).get('content-type'), body: decoded(body, encoding) };
  });
  assert.deepEqual(
    parts.map(part => part.type),
    ['text/plain; charset=utf-8', 'text/html; charset=utf-8'],
  );
  const [text, html] = parts.map(part => part.body.replaceAll('\r\n', '\n'));
  return { headers, text: text ?? '', html: html ?? '', encodings: parts.map(part => part.encoding) };
}

function headersOf(part: string): Map<string, string> {
  const head = part.slice(0, part.indexOf('\r\n\r\n')).replaceAll('\r\n ', ' ');
  const headers = new Map<string, string>();
  for (const line of head.split('\r\n')) {
    const [, name = '', value = ''] = /^([A-Za-z-]+): (.*)$/s.exec(line) ?? [];
    assert.notEqual(name, '', `no header: ${line}`);
    assert.ok(!headers.has(name.toLowerCase()), `${name} is there twice`);
    headers.set(name.toLowerCase(), words(value));
  }
  return headers;
}

/** Decodes encoded words; the space between two of them is none. */
function words(value: string): string {
  const octets = value
    .replaceAll(/\?= =\?UTF-8\?Q\?/g, '')
    .replaceAll(/=\?UTF-8\?Q\?([^?]*)\?=/g, (_, word: string) => octetsOf(word.replaceAll('_', ' ')));
  return Buffer.from(octets, 'latin1').toString('utf8');
}

function decoded(body: string, encoding: string): string {
  if (encoding === '7bit') {
    assert.match(body, /^[\t\r\n\x20-\x7e]*$/);
    return body;
  }
  assert.equal(encoding, 'quoted-printable');
  for (const line of body.split('\r\n')) assert.match(line, /^[\t\x20-\x7e]{0,76}$/);
  assert.doesNotMatch(body, /[ \t]\r\n/);
  return Buffer.from(octetsOf(body.replaceAll('=\r\n', '')), 'latin1').toString('utf8');
}

function octetsOf(encoded: string): string {
  return encoded.replaceAll(/=([0-9A-F]{2})/g, (_, octet: string) =>
    String.fromCharCode(Number.parseInt(octet, 16)),
  );
}
