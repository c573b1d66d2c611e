/** Text that the program chose, and names that a user chose. */
export type Paragraph = readonly (string | { readonly name: string })[];

/** What a template says, for the layout to show. */
export interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
  /** The one thing to do. The link is a URL that the program made. */
  readonly action: { readonly label: string; readonly link: string };
  readonly footnotes: readonly Paragraph[];
}

export const PRODUCT = 'Household Ledger';

/** Text lines stay within what every mail reader shows and 7bit allows without encoding. */
const TEXT_COLUMNS = 72;
/** Stands for the spaces of a name while lines are broken, so that a name stays in one piece. */
const UNBROKEN = '\0';

/** The mail as plain text. The link has a line of its own, however long, so that no reader breaks it. */
export function mailText({ paragraphs, action, footnotes }: Letter): string {
  const texts = paragraphs.map(paragraph => wrapped(plain(paragraph)));
  const notes = footnotes.map(paragraph => wrapped(plain(paragraph)));
  return `${[...texts, `${action.label}:\n${action.link}`, ...notes, `-- \n${PRODUCT}`].join('\n\n')}\n`;
}

/** The mail as HTML: styles inline, nothing loaded from elsewhere, every value escaped. */
export function mailHtml({ subject, paragraphs, action, footnotes }: Letter): string {
  const link = escaped(action.link);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(subject)}</title>
</head>
<body style="margin:0;padding:0;background:#f3f4f2">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"
 style="background:#f3f4f2">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"
 style="max-width:520px;
 font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<tr><td style="padding:0 4px 16px;color:#3d5a4c;font-size:15px;
 font-weight:600">${escaped(PRODUCT)}</td></tr>
<tr><td style="padding:32px;background:#ffffff;border:1px solid #dfe3de;
 border-radius:10px;color:#1f2a24;font-size:16px;line-height:1.55">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;
 font-weight:650">${escaped(subject)}</h1>
${paragraphs.map(paragraph => `<p style="margin:0 0 16px">\n${marked(paragraph)}\n</p>`).join('\n')}
<table role="presentation" cellpadding="0" cellspacing="0"
 style="margin:24px 0"><tr>
<td style="border-radius:6px;background:#2f6b4f">
<a href="${link}"
 style="display:inline-block;padding:12px 22px;color:#ffffff;
 font-size:16px;font-weight:600;text-decoration:none"
>${escaped(action.label)}</a></td>
</tr></table>
<p style="margin:0;color:#5c6b63;font-size:13px;line-height:1.5">
If the button does not work, open this address:<br>
<span style="word-break:break-all">
${link}
</span></p>
</td></tr>
<tr><td style="padding:16px 4px 0;color:#5c6b63;font-size:13px;
 line-height:1.5">
${footnotes.map(paragraph => `<p style="margin:0 0 8px">\n${marked(paragraph)}\n</p>`).join('\n')}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function plain(paragraph: Paragraph): string {
  return paragraph.map(piece => (typeof piece === 'string' ? piece : `"${inert(piece.name)}"`)).join('');
}

function marked(paragraph: Paragraph): string {
  const html = paragraph
    .map(piece =>
      typeof piece === 'string'
        ? escaped(piece)
        : `<strong>&quot;<bdi>${escaped(inert(piece.name))}</bdi>&quot;</strong>`,
    )
    .join('');
  return wrapped(html);
}

/**
 * A name that stays a name: quotes cannot be closed from within, directions cannot be turned, and what looks like
 * an address of the web or of mail is broken by spaces, so that no mail reader makes a link of it. Invisible
 * characters would not do: browsers drop them from host names (UTS 46).
 */
function inert(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069\u061C\uFEFF]/gu, '')
    .replace(/["“”„‟«»]/gu, "'")
    .replace(/(?<=\S)[.:@\u3002\uFF0E\uFF20\uFF61](?=\S)/gu, '$& ')
    .trim()
    .replaceAll(' ', UNBROKEN);
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Breaks at spaces only; a longer word stays whole. */
function wrapped(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > TEXT_COLUMNS) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join('\n').replaceAll(UNBROKEN, ' ');
}
