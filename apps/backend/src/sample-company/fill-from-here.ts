import { loadCatalog } from "@svc/command-router/catalog";
import type { Database } from "@svc/database/database";
import type { PersonKey } from "@svc/sample-company/company";
import { folders } from "@svc/sample-company/folders";
import { openBlobStore } from "../platform/blobs/open-blob-store.ts";
import { AccessSubjects } from "../platform/commands/access-subjects.ts";
import type { CommandContext } from "../platform/commands/command-context.ts";
import { Listeners } from "../platform/commands/listeners.ts";
import { serviceTokenCheck } from "../platform/identity/service-token-check.ts";
import type { ProcessConfig } from "../platform/process/config.ts";
import { featuresFolder } from "../platform/process/features-folder.ts";
import { createLog } from "../platform/process/log.ts";
import { Search } from "../platform/search/search.ts";
import { SearchSources } from "../platform/search/search-source.ts";
import { Staging } from "../platform/uploads/staging.ts";
import { fillCompany } from "./fill-company.ts";

/** Runs a backend in this process, so that only the database must be up. */
export async function fillFromHere(
  database: Database,
  config: ProcessConfig,
  tokens: Record<PersonKey, string>,
): Promise<void> {
  const log = createLog({ ...config, logLevel: "warn" });
  await fillCompany({
    check: serviceTokenCheck(database, log),
    typistParts: {
      platform: {
        database,
        catalog: await loadCatalog<CommandContext>(featuresFolder),
        listeners: await Listeners.load(featuresFolder),
        accessSubjects: await AccessSubjects.load(featuresFolder),
        search: new Search({ sources: await SearchSources.load(featuresFolder) }),
        blobStore: openBlobStore(config),
      },
      staging: new Staging(config.blobFolder, config.staging),
      log,
    },
    tokens,
    folders: folders(),
    said: (line) => process.stdout.write(`seed: ${line}\n`),
  });
}
