import { lchownSync, lstatSync, statSync } from 'node:fs';

/**
 * Gives files that root has made in a directory to the user of that, who may be the server and has to read them.
 * Nothing else in it: by a link, the owner of the directory would get files of root elsewhere.
 */
export function giveToOwner(directory: string, files: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(directory);
  if (uid === 0) return;
  for (const file of files) {
    try {
      if (lstatSync(file).uid === 0) lchownSync(file, uid, gid);
    } catch {
      // It is gone, or this root may not do this: it shares the user with the server, or the server says that it cannot read.
    }
  }
}
