import { lchownSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The user that a directory belongs to, where this process is root and the directory is not root's. */
function ownerToGiveTo(directory: string): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = statSync(directory);
  return uid === 0 ? null : { uid, gid };
}

/** Gives a file that root has made to the user of a directory, who may be the server and has to read it. */
export function giveToOwner(directory: string, file: string): void {
  const owner = ownerToGiveTo(directory);
  if (!owner) return;
  try {
    lchownSync(file, owner.uid, owner.gid);
  } catch {
    // A root that may not do this shares the user with the server, or the server says that it cannot read.
  }
}

/** Likewise everything in the directory that is root's. */
export function giveAllToOwner(directory: string): void {
  if (!ownerToGiveTo(directory)) return;
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const file = join(directory, name);
    if (lstatSync(file).uid === 0) giveToOwner(directory, file);
  }
}
