import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { SETTINGS } from './server-arguments.js';

const CONFIGURATION = new URL('../../../../docs/configuration.md', import.meta.url);

describe('settings in --help', () => {
  it('are those of the table in docs/configuration.md, in its order, with its defaults', () => {
    const rows = [
      ...readFileSync(CONFIGURATION, 'utf8').matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) +\| (.*?) +\| /gm),
    ];
    const documented = rows.flatMap(([, names, unset]) => {
      const defaults = names!.includes(',') ? unset!.split(', ') : [unset!];
      return names!.split(', ').map((name, index) => [plain(name), plain(defaults[index]!)]);
    });
    assert.deepEqual(
      SETTINGS.map(([name, unset]) => [name, unset]),
      documented,
    );
  });
});

function plain(cell: string): string {
  return cell.replaceAll('`', '');
}
