import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { foldCase } from './transaction-document.js';

describe('foldCase', () => {
  const assertMeet = (...spellings: readonly string[]): void => {
    for (const spelling of spellings) assert.equal(foldCase(spelling), foldCase(spellings[0]!), spelling);
  };

  it('lets a Turkish name meet its spellings on any keyboard', () => {
    assertMeet('migros', 'MİGROS', 'MIGROS', 'Migros', 'mıgros', 'MI\u0307GROS');
    assertMeet('iki', 'İki', 'IKI', 'ıkı');
  });

  it('lets letters meet whose capital is another or two', () => {
    assertMeet('straße', 'STRASSE', 'STRAẞE', 'Strasse');
    assertMeet('ΟΔΟΣ', 'οδος', 'οδοσ');
    assertMeet('Ǆ', 'ǅ', 'ǆ');
  });

  it('keeps letters apart that differ by more than case', () => {
    for (const [a, b] of [
      ['ż', 'z'],
      ['ė', 'e'],
      ['z\u0307', 'z'],
      ['café', 'cafe'],
      ['ø', 'o'],
      ['j\u030c', 'j'],
    ] as const) {
      assert.notEqual(foldCase(a), foldCase(b));
    }
  });

  it('is the same for every form of a text, and for what was folded already', () => {
    for (let code = 0; code <= 0x1ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const letter = String.fromCodePoint(code);
      const folded = foldCase(letter);
      for (const form of [folded, letter.toLowerCase(), letter.toUpperCase(), letter.normalize('NFD')]) {
        assert.equal(foldCase(form), folded, `U+${code.toString(16)}`);
      }
    }
  });
});
