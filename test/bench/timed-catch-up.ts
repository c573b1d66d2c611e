import type { ProjectionHost } from '#engine/projector/projection-host';
import { until } from '../until.js';

/** Starts a host and waits until it has caught up. @returns events a second @throws Error where a household failed */
export async function timedCatchUp(host: ProjectionHost, events: number): Promise<number> {
  const begun = performance.now();
  host.start();
  await until(() => host.isCaughtUp());
  const seconds = (performance.now() - begun) / 1000;
  const { failing } = host.status();
  if (failing.length > 0) throw new Error(`households failed: ${JSON.stringify(failing[0])}`);
  await host.stop();
  return events / seconds;
}
