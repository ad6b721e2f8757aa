import { documentFile, type SampleFile } from "../sample-file.ts";

const rows: readonly [slug: string, title: string, sign: string, steps: string[], remark: string][] = [
  [
    "restore-order-database",
    "Restore the order database",
    "The primary is gone, or somebody deleted what he should not have.",
    [
      "Tell the warehouse to stop picking; the hotline is on the wall behind the packing table.",
      "Start the newest base backup on the standby and replay the log up to five minutes before the accident.",
      "Compare the count of orders with the payment provider's report for the day.",
      "Point the shop to the standby and open it again.",
    ],
    "The last rehearsal, in March 2026, took 47 minutes; the target is one hour. We may lose at most five minutes of orders.",
  ],
  [
    "rotate-payment-key",
    "Rotate the payment provider's key",
    "Every ninety days, or at once where somebody with access leaves.",
    [
      "Create the second key in the provider's console.",
      "Put it into the vault under payments/next and restart the orders service.",
      "After an hour without a refused call, revoke the first key.",
    ],
    "Never revoke before the restart: in May 2025 that cost us a lunch hour of sales.",
  ],
  [
    "customs-queue-stuck",
    "The customs queue is stuck",
    "Declarations are older than thirty minutes on the board.",
    [
      "Look at the gateway's certificate first; it has expired twice.",
      "Restart the sender with one worker, so that declarations leave in order.",
      "Call the broker, Van Dijk Logistics, before four in the afternoon.",
    ],
    "Parcels with food need a phytosanitary number; without it the gateway answers with code 17 and nothing else.",
  ],
  [
    "stale-exchange-rates",
    "Exchange rates are stale",
    "The quotation page shows a yellow bar.",
    [
      "Fetch the feed by hand and compare its date.",
      "If the central bank has a holiday, extend the rate until the next working day.",
      "Otherwise follow the redirect and correct the address in the settings.",
    ],
    "A rate older than two days stops quotations on purpose.",
  ],
  [
    "cold-room-alarm",
    "The cold room is too warm",
    "The sensor reports more than 8 °C for ten minutes.",
    [
      "Call the night guard, who can reset the breaker.",
      "Move ceremonial matcha to the second room first; it is the most sensitive.",
      "Write down the highest temperature and ask Rin for a moisture test of the lot.",
    ],
    "Leaves above 5 % moisture must not be sold.",
  ],
  [
    "label-printer",
    "A label printer prints nothing",
    "Blank labels, or a red lamp.",
    [
      "Print the test page with the button on the back.",
      "Check that the driver is the pinned version.",
      "Take the spare from shelf C4 and scan its code at the packing table.",
    ],
    "Spare print heads are ordered from the vendor in Eindhoven and take nine days.",
  ],
  [
    "mail-reputation",
    "Our mail lands in spam",
    "Customers ask for confirmations that we sent.",
    [
      "Check SPF, DKIM and DMARC of kumo.example.",
      "Stop the newsletter; keep confirmations going.",
      "Ask the provider for the bounce report.",
    ],
    "The newsletter goes out from a domain of its own since February 2026.",
  ],
  [
    "new-laptop",
    "Set up a laptop for somebody new",
    "First day of a colleague.",
    [
      "Encrypt the disk before anything else.",
      "Install the password manager and invite him to his team's vault.",
      "Let him read the handbook of the packing table; everybody packs on his second day.",
    ],
    "Laptops are replaced after four years or when the battery lasts less than three hours.",
  ],
  [
    "close-the-month",
    "Close the month",
    "First working day, before ten.",
    [
      "Run the export and check that its sum is that of the ledger.",
      "Send the list of unpaid invoices to Samuel.",
      "Freeze the price list of the month.",
    ],
    "Samuel needs the figures by noon, because the tax adviser collects them at two.",
  ],
  [
    "shop-is-slow",
    "The shop is slow",
    "Pages take more than a second at the ninety-ninth percentile.",
    [
      "Look at the longest queries of the last ten minutes.",
      "Turn off the recommendations; they are the first thing that nobody misses.",
      "Add a second web process before you look for the cause.",
    ],
    "The budget for a product page is 200 milliseconds on the server.",
  ],
  [
    "lost-scanner",
    "A scanner is lost or stolen",
    "Somebody cannot find it at the end of a shift.",
    [
      "Revoke its certificate in the device list.",
      "Change the warehouse's wireless password within a week.",
      "Tell the insurer, Helvia, if it is not back in three days; the policy number is on the invoice.",
    ],
    "A scanner knows no customers' addresses, only shelf and order numbers.",
  ],
  [
    "on-call-handover",
    "Hand over the duty",
    "Mondays at eleven.",
    [
      "Walk through the open incidents together.",
      "Check that the phone rings.",
      "Write one line in the minutes about what kept you awake.",
    ],
    "Who was woken at night starts late the next day; nobody has to ask.",
  ],
];

export function runbooks(): SampleFile[] {
  return rows.map(([slug, title, sign, steps, remark]) =>
    documentFile(`${slug}.md`, {
      title,
      paragraphs: [
        `**When:** ${sign}`,
        steps.map((step, index) => `${index + 1}. ${step}`).join("\n"),
        `**Remember:** ${remark}`,
        "Owner: Tomás Vega. Somebody has rehearsed it within the last six months.",
      ],
    }),
  );
}
