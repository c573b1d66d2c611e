import { closeSync, fsyncSync, openSync } from 'node:fs';

/**
 * Brings a file to the medium, or a directory: without that a power cut may take the names in it. Windows cannot open
 * directories, and needs no such call.
 */
export function syncPath(path: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
