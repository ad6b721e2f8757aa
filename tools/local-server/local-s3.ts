import {
  isGatewayInstalled,
  type RunningGateway,
  runningGateway,
  startGateway,
  stopGateway,
} from "./radosgw.ts";
import type { RootedServer } from "./rooted-server.ts";

export const localS3: RootedServer<RunningGateway> = {
  is: "local S3 endpoint",
  instead:
    "Name one with SVC_S3_ENDPOINT, SVC_S3_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; tests create and remove " +
    "their own buckets.",
  packages: ["radosgw"],
  takes: "some minutes",
  isEmptiedAtEnd: true,
  isInstalled: isGatewayInstalled,
  running: runningGateway,
  start: startGateway,
  stop: stopGateway,
};
