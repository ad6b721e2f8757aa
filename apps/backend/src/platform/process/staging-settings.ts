const GiB = 1024 ** 3;

export interface StagingSettings {
  /** How long an interrupted upload can be resumed and keeps its bytes. */
  resumeMillis: number;
  /** Limit of unfinished uploads at any time. */
  bytesPerPerson: number;
  bytesPerTenant: number;
}

/** The room that uploads leave on the disk. */
export interface DiskSettings {
  /** Kept free for everything else on the disk. */
  reservedBytes: number;
  /** Of an upload below this, a full disk says so itself. */
  noticedBytes: number;
}

export const defaultStagingSettings: StagingSettings = {
  resumeMillis: 24 * 60 * 60_000,
  bytesPerPerson: 120 * GiB,
  bytesPerTenant: 240 * GiB,
};

export const defaultDiskSettings: DiskSettings = {
  reservedBytes: GiB,
  noticedBytes: GiB / 16,
};
