import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { REVISIONS_MAX, type Collection, type Document, type Documents } from '#documents/documents';
import { SqliteDocuments } from '#documents/sqlite/sqlite-documents';
import { RENDERED_BYTES_MAX, RenderedAnswers, type AnswerBytes, type Rendered } from './rendered-answers.js';

interface Note extends Document {
  readonly text: string;
}

const NOTES: Collection<Note> = { name: 'notes', durability: 'derived', indexes: [] };

describe('rendered answers', () => {
  let directory: string;
  let documents: Documents;
  let rendered = 0;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'rendered-'));
    documents = SqliteDocuments.open({ directory });
    await documents.ensure([NOTES]);
  });
  after(async () => {
    await documents.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** What the notes say, joined. */
  async function asked(
    answers: RenderedAnswers,
    name: string,
    keys: readonly string[],
    version: number | null = null,
  ): Promise<string> {
    const render = async (): Promise<Rendered<AnswerBytes>> => {
      rendered += 1;
      const read = await Promise.all(keys.map(key => documents.get(NOTES, key)));
      return {
        answer: { body: Buffer.from(read.map(note => note?.text ?? '-').join()) },
        sources: keys.map((key, place) => ({
          document: { collection: NOTES, key },
          revision: read[place]?.revision ?? null,
        })),
      };
    };
    return (await answers.answer(name, version, render)).body.toString();
  }

  it('are made once, and anew whenever one of their documents has changed, come or gone', async () => {
    const answers = new RenderedAnswers(documents);
    await documents.put(NOTES, [{ key: 'a', revision: 1, text: 'one' }]);
    rendered = 0;
    assert.equal(await asked(answers, 'both', ['a', 'b']), 'one,-');
    assert.equal(await asked(answers, 'both', ['a', 'b']), 'one,-');
    assert.equal(rendered, 1);
    await documents.put(NOTES, [{ key: 'a', revision: 2, text: 'two' }]);
    assert.equal(await asked(answers, 'both', ['a', 'b']), 'two,-');
    await documents.put(NOTES, [{ key: 'b', revision: 5, text: 'new' }]);
    assert.equal(await asked(answers, 'both', ['a', 'b']), 'two,new');
    await documents.remove(NOTES, 'a');
    assert.equal(await asked(answers, 'both', ['a', 'b']), '-,new');
    assert.equal(await asked(answers, 'both', ['a', 'b']), '-,new');
    assert.equal(rendered, 4);
  });

  it('are made anew for another version, whatever their documents say', async () => {
    const answers = new RenderedAnswers(documents);
    await documents.put(NOTES, [{ key: 'at', revision: 1, text: 'one' }]);
    rendered = 0;
    for (const version of [7, 7, 8, 8, 7]) await asked(answers, 'at', ['at'], version);
    assert.equal(rendered, 3);
    await documents.put(NOTES, [{ key: 'at', revision: 2, text: 'two' }]);
    assert.equal(await asked(answers, 'at', ['at'], 7), 'two');
  });

  it('are never kept where they are made of more documents than may be asked for at once', async () => {
    const answers = new RenderedAnswers(documents);
    const keys = Array.from({ length: REVISIONS_MAX + 1 }, (_, number) => `many ${number}`);
    rendered = 0;
    for (let time = 0; time < 2; time += 1) await asked(answers, 'many', keys);
    assert.equal(rendered, 2);
  });

  it('are given up when all together grow too large, the least recently used first', async () => {
    const answers = new RenderedAnswers(documents);
    const large = 'x'.repeat(Math.ceil(RENDERED_BYTES_MAX / 2.5));
    await documents.put(
      NOTES,
      ['k', 'l', 'm'].map(key => ({ key, revision: 1, text: large })),
    );
    for (const key of ['k', 'l', 'k', 'm']) await asked(answers, key, [key]);
    rendered = 0;
    await asked(answers, 'k', ['k']);
    await asked(answers, 'm', ['m']);
    assert.equal(rendered, 0);
    await asked(answers, 'l', ['l']);
    assert.equal(rendered, 1);
  });
});
