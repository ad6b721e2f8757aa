const GiB = 1024 ** 3;

export interface StagingSettings {
  /** How long an upload that stopped can be resumed, and keeps its bytes. */
  resumeMillis: number;
  /** Of unfinished uploads, at any one time. */
  bytesPerPerson: number;
  bytesPerTenant: number;
}

export const defaultStagingSettings: StagingSettings = {
  resumeMillis: 60 * 60_000,
  bytesPerPerson: 5 * GiB,
  bytesPerTenant: 50 * GiB,
};
