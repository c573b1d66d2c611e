import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Names this process among all that work on the same stores: where it runs, and which one there it is or was. */
export function processName(): string {
  return `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
}
