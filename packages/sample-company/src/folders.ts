import type { PersonKey } from "./company.ts";
import { board } from "./documents/board.ts";
import { campaigns } from "./documents/campaigns.ts";
import { contracts } from "./documents/contracts.ts";
import { customerMail } from "./documents/customer-mail.ts";
import { dailyReports } from "./documents/daily-reports.ts";
import { designDocuments } from "./documents/design-documents.ts";
import { engineeringMinutes } from "./documents/engineering-minutes.ts";
import { incidentReports } from "./documents/incident-reports.ts";
import { invoices } from "./documents/invoices.ts";
import { labelPrinters } from "./documents/label-printers.ts";
import { letters } from "./documents/letters.ts";
import { press } from "./documents/press.ts";
import { priceLists } from "./documents/price-lists.ts";
import { productPages } from "./documents/product-pages.ts";
import { quotations } from "./documents/quotations.ts";
import { runbooks } from "./documents/runbooks.ts";
import { salesMinutes } from "./documents/sales-minutes.ts";
import { serviceSettings } from "./documents/service-settings.ts";
import { sourceCode } from "./documents/source-code.ts";
import { boardRights, financeRights, labelPrinterRights, type RightsLine } from "./rights.ts";
import type { SampleFile } from "./sample-file.ts";

/** What one person puts into a workspace at once. */
export interface SampleFolder {
  workspace: string;
  by: PersonKey;
  name: string;
  files: readonly SampleFile[];
  /** Typed once the folder is there and before anything is in it. */
  rights: readonly RightsLine[];
}

const folder = (
  workspace: string,
  by: PersonKey,
  name: string,
  files: readonly SampleFile[],
  rights: readonly RightsLine[] = [],
): SampleFolder => ({ workspace, by, name, files, rights });

export function folders(): SampleFolder[] {
  return [
    folder("engineering", "tomas", "runbooks", runbooks()),
    folder("engineering", "tomas", "incident-reports", incidentReports()),
    folder("engineering", "tomas", "design", designDocuments()),
    folder("engineering", "tomas", "minutes", engineeringMinutes()),
    folder("engineering", "tomas", "code", sourceCode()),
    folder("engineering", "tomas", "settings", serviceSettings()),
    folder("engineering", "tomas", "label-printers", labelPrinters(), labelPrinterRights),
    folder("marketing", "rin", "campaigns", campaigns()),
    folder("marketing", "rin", "press", press()),
    folder("marketing", "rin", "products", productPages()),
    folder("marketing", "mina", "board", board(), boardRights),
    folder("営業", "aiko", "日報", dailyReports()),
    folder("営業", "aiko", "見積書", quotations()),
    folder("営業", "rin", "契約書", contracts(), financeRights("/契約書")),
    folder("営業", "aiko", "請求書", invoices(), financeRights("/請求書", "editor")),
    folder("営業", "rin", "議事録", salesMinutes()),
    folder("営業", "rin", "価格表", priceLists()),
    folder("営業", "aiko", "mail", customerMail()),
    folder("営業", "aiko", "letters", letters()),
  ];
}
