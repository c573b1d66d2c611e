import type { Collection, Document } from '#storage/documents/documents';
import { ACTIVE_VERSION, BESIDE_FAILURES, HEARTBEATS } from '../versions/active-version.js';
import { HouseholdStreams } from '../households/household-streams.js';
import { LeasedPartitions } from './leased-partitions.js';
import { ProjectionHost } from './projection-host.js';
import { REBUILD_PROGRESS } from '../rebuild/rebuild.js';
import { REBUILD_CHECKPOINTS } from '../rebuild/replay.js';
import { VERIFICATIONS } from '../verify/verification-host.js';

/** All that projections, rebuilds and verifications keep, except the read models, which the active version names. */
export const PROJECTION_COLLECTIONS: readonly Collection<Document>[] = [
  ...HouseholdStreams.sharedCollections,
  ProjectionHost.checkpoints,
  ProjectionHost.failures,
  LeasedPartitions.leases,
  LeasedPartitions.workers,
  ACTIVE_VERSION,
  HEARTBEATS,
  BESIDE_FAILURES,
  REBUILD_PROGRESS,
  REBUILD_CHECKPOINTS,
  VERIFICATIONS,
];
