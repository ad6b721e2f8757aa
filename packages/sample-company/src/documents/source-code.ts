import { type SampleFile, textFile } from "../sample-file.ts";

const files: Record<string, string> = {
  "orders/order-number.ts": `/** KT-2026-0042: the year and a number that has no gaps, because the tax office counts. */
export function orderNumber(year: number, sequence: number): string {
  return \`KT-\${year}-\${String(sequence).padStart(4, "0")}\`;
}
`,
  "orders/reserve-stock.ts": `import type { Transaction } from "./transaction.ts";

/** Locks the shelf first: two pickers must not promise the same bowl. Released after twenty minutes. */
export async function reserveStock(transaction: Transaction, sku: string, quantity: number): Promise<boolean> {
  const shelf = await transaction.one("select free from shelf where sku = $1 for update", [sku]);
  if (shelf.free < quantity) return false;
  await transaction.run("insert into reservation (sku, quantity, until) values ($1, $2, now() + '20 min')", [sku, quantity]);
  return true;
}
`,
  "orders/take-notification.ts": `/** The payment provider repeats itself after a timeout (INC-2025-001): its id is unique in our table. */
export async function takeNotification(store: { insertOnce(id: string): Promise<boolean> }, id: string): Promise<"new" | "repeated"> {
  return (await store.insertOnce(id)) ? "new" : "repeated";
}
`,
  "rates/convert.py": `from decimal import Decimal, ROUND_HALF_EVEN

MAX_AGE_DAYS = 2  # an older rate stops quotations, on purpose


def to_yen(euros: Decimal, rate: Decimal) -> int:
    """Yen have no fraction; banker's rounding, as the ledger does it."""
    return int((euros * rate).quantize(Decimal("1"), rounding=ROUND_HALF_EVEN))
`,
  "rates/fetch_rates.py": `import datetime
import urllib.request

FEED = "https://rates.kumo.example/daily.csv"


def fetch(today: datetime.date) -> dict[str, float]:
    with urllib.request.urlopen(FEED, timeout=10) as answer:
        lines = answer.read().decode("utf-8").splitlines()
    day = datetime.date.fromisoformat(lines[0].split(",")[1])
    if (today - day).days > 2:
        raise RuntimeError(f"rates are of {day}, which is too old to quote with")
    return {code: float(rate) for code, rate in (line.split(",") for line in lines[1:])}
`,
  "warehouse/moisture_check.py": `"""Leaves above five percent of moisture must not be sold."""

LIMIT = 0.05


def may_be_sold(samples: list[float]) -> bool:
    return max(samples) <= LIMIT
`,
  "warehouse/cold_room.py": `ALARM_CELSIUS = 8.0
ALARM_MINUTES = 10


def is_alarm(readings: list[tuple[int, float]]) -> bool:
    """Readings are (minute, temperature); one warm reading is a door that was open."""
    warm = [minute for minute, celsius in readings if celsius > ALARM_CELSIUS]
    return bool(warm) and warm[-1] - warm[0] >= ALARM_MINUTES
`,
  "reports/unpaid-invoices.sql": `-- For Samuel, on the first working day of the month: what is due for more than thirty days.
select o.number, c.name, o.total, current_date - o.date as days
from orders o join customers c on c.id = o.customer_id
where not o.paid and o.date < current_date - 30
order by days desc;
`,
  "reports/best-sellers.sql": `-- The ten goods that bring most, by quarter.
select date_trunc('quarter', o.date) as quarter, l.sku, sum(l.quantity * l.price) as revenue
from orders o join order_lines l using (order_id)
group by quarter, l.sku
order by quarter, revenue desc
limit 10;
`,
  "reports/stock-below-minimum.sql": `select sku, free, minimum from shelf where free < minimum order by minimum - free desc;
`,
  "labels/render-label.ts": `/** The first line sets the code page: without it, umlauts and kanji come out as boxes. */
export function renderLabel(lines: readonly string[]): string {
  return ["^XA^CI28", ...lines.map((line, index) => \`^FO40,\${60 + index * 48}^A0N,36^FD\${line}^FS\`), "^XZ"].join("\\n");
}
`,
  "customs/tariff-codes.ts": `/** Dishes that are not for food have a code of their own: the port charged 340 euros to teach us. */
export const tariffCodes = new Map([
  ["TEA-101", "0902.10"],
  ["CER-203", "6911.10"],
  ["CER-206", "6913.10"],
  ["TEX-301", "6302.60"],
]);
`,
  "README.md": `# Code that is worth showing

Parts of the services behind the shop, for new colleagues. The real repositories are elsewhere; start with
\`orders/reserve-stock.ts\`, then read the runbooks next door.
`,
};

export function sourceCode(): SampleFile[] {
  return Object.entries(files).map(([path, content]) => textFile(path, content));
}
