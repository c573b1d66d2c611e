import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvCell } from './csv.js';

describe('csvCell', () => {
  it('keeps spreadsheets from computing what people wrote', () => {
    for (const sign of ['=', '+', '-', '@']) assert.equal(csvCell(`${sign}1`), `'${sign}1`);
    assert.equal(csvCell('=HYPERLINK("a","b")'), `"'=HYPERLINK(""a"",""b"")"`);
    assert.equal(csvCell('a=1'), 'a=1');
  });

  it('quotes separators, quotes and line breaks', () => {
    assert.equal(csvCell('a,b'), '"a,b"');
    assert.equal(csvCell('a "b"'), '"a ""b"""');
    assert.equal(csvCell('a\nb'), '"a\nb"');
    assert.equal(csvCell('plain; text'), 'plain; text');
  });

  it('writes numbers as they are, and nothing for null', () => {
    assert.equal(csvCell(-5), '-5');
    assert.equal(csvCell(null), '');
    assert.equal(csvCell(''), '');
  });
});
