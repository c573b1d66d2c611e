import type { Collection, Document } from '#documents/documents';
import { GENERATION_POINTER } from '#streams/generations/generation-pointer';
import { BESIDE_FAILURES } from '#streams/generations/beside-failures';
import { PRESENCES } from '#streams/generations/presences';
import { HouseholdStreams } from '#streams/household-streams';
import { LeasedPartitions } from './leased-partitions.js';
import { ProjectionHost } from './projection-host.js';
import { REBUILD_PROGRESS } from './rebuild/rebuild-lease.js';
import { REBUILD_CHECKPOINTS } from './rebuild/replay.js';

/** All that projections and rebuilds keep, but for the read models: the pointer says which of those there are. */
export const PROJECTION_COLLECTIONS: readonly Collection<Document>[] = [
  ...HouseholdStreams.sharedCollections,
  ProjectionHost.checkpoints,
  ProjectionHost.failures,
  LeasedPartitions.leases,
  LeasedPartitions.workers,
  GENERATION_POINTER,
  PRESENCES,
  BESIDE_FAILURES,
  REBUILD_PROGRESS,
  REBUILD_CHECKPOINTS,
];
