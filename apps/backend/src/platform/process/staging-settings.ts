const GiB = 1024 ** 3;

export interface StagingSettings {
  /** How long an interrupted upload can be resumed and keeps its bytes. */
  resumeMillis: number;
  /** Limit of unfinished uploads at any time. */
  bytesPerPerson: number;
  bytesPerTenant: number;
}

export const defaultStagingSettings: StagingSettings = {
  resumeMillis: 24 * 60 * 60_000,
  bytesPerPerson: 120 * GiB,
  bytesPerTenant: 240 * GiB,
};
