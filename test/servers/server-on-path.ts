import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of the first server of these names on the PATH; null where it has none, and in the quick test run. */
export function serverOnPath(...names: readonly string[]): string | null {
  if (process.env['TEST_SERVERS'] === 'none') return null;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '');
  const paths = folders.flatMap(folder => names.map(name => join(folder, name)));
  return paths.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
