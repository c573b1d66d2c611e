/** How often a client hears that the stream still stands and its access is checked again, in milliseconds. */
const HEARTBEAT_MS = 15_000;

/**
 * How long a client may leave what was made for it untaken, in milliseconds. Nothing more is made meanwhile, so that
 * it holds a few messages and no more; but it holds them, and a place among the clients, without a reader.
 */
const UNTAKEN_MS_MAX = 30_000;

/** Times of the stream of changes. Tests shorten them. */
export class ChangesPace {
  heartbeatMs = HEARTBEAT_MS;
  untakenMsMax = UNTAKEN_MS_MAX;
}
