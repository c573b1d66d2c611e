import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Where Linux lists the files that this process has open; other systems have no such place. */
const DESCRIPTORS = '/proc/self/fd';

/** The files of a directory that this process has open, each as often as it is open. */
export function openFilesIn(directory: string): string[] {
  return readdirSync(DESCRIPTORS).flatMap(descriptor => {
    try {
      const path = readlinkSync(join(DESCRIPTORS, descriptor));
      return path.startsWith(directory) ? [path] : [];
    } catch {
      // The descriptor of the listing itself is gone by now.
      return [];
    }
  });
}
