import { hash } from 'node:crypto';

/**
 * What the secret of a session, of a personal access token or of a mailed link is stored as: the SHA-256 of it, in
 * base64url. Each has 256 bits that nobody can guess, so one round is enough.
 */
export function hashOfSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
