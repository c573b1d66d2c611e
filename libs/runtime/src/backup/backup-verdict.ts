import { Remark } from '#http/readiness';
import type { BackupSchedule } from './backup-schedule.js';

/** Of scheduled backups, for readiness: null before the first. */
export function backupVerdict({
  latestAt,
  trouble,
}: Pick<BackupSchedule, 'latestAt' | 'trouble'>): string | Remark | null {
  const latest =
    latestAt === null ? 'there is none yet' : `the latest is of ${new Date(latestAt).toISOString()}`;
  if (trouble !== null) return `${trouble} (${latest})`;
  return latestAt === null ? null : new Remark(latest);
}
