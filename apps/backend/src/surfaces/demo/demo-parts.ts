import type { DemoVisitors } from "../../features/demo/demo.ts";
import type { Staging } from "../../platform/uploads/staging.ts";
import type { CommandParts } from "../calls/answer-command.ts";
import type { UploadShares } from "../transfers/upload-shares.ts";
import type { DemoLimits } from "./demo-limits.ts";

export interface DemoParts extends CommandParts {
  staging: Staging;
  uploadShares: UploadShares;
  visitors: DemoVisitors;
  demoLimits: DemoLimits;
}
