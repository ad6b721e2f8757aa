import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DemoWorld } from "../../testing/demo/demo-test.ts";

const picture = resolve(import.meta.dirname, "../../../../docs/pictures/demo.png");
const hostileName = '<img src=x onerror="document.title=1">.txt';

let world: DemoWorld;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  world = await DemoWorld.build();
  const { town } = world;
  await town.run("files mkdir /printers");
  for (const [path, text] of [
    [
      "/printers/Label printer setup.txt",
      "The label printer prints labels for tea tins. Press the green button to print.",
    ],
    ["/printers/Printer incident 12.txt", "The printer in the warehouse jammed; labels were printed twice."],
    ["/printers/Toner order.txt", "Toner for the printer of the shop, three boxes."],
    [`/${hostileName}`, "<script>document.title = 'hacked'</script> a hostile printer"],
  ] as const)
    await town.put(path, text);
  await world.backend.server.listen({ host: "127.0.0.1", port: 0 });
  const [address] = world.backend.server.addresses();
  if (typeof address !== "object") throw new Error("the server has no port");
  origin = `http://localhost:${address.port}`;
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
  });
});
afterAll(async () => {
  await browser?.close();
  await world?.backend.close();
});

interface Opened extends AsyncDisposable {
  page: Page;
  /** Everything that the browser complained about. */
  complaints: string[];
}

async function open(options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ locale: "en", ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    // Browsers ask every site for an icon.
    if (message.type() === "error" && !message.location().url.endsWith("/favicon.ico"))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${origin}/demo`);
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

const box = (page: Page) => page.getByRole("combobox", { name: "Search files, folders and records" });
/** Of the list of hits, not of a choice. */
const options = (page: Page) => page.getByRole("listbox").getByRole("option");
const status = (page: Page) => page.getByRole("status");

async function type(page: Page, text: string): Promise<void> {
  await box(page).focus();
  await page.keyboard.type(text, { delay: 20 });
}

interface AxeResults {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** The page's policy refuses scripts of others, so the checker comes by the debugger. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(`${axe.source};0`);
  const { violations: found } = await page.evaluate<AxeResults>("axe.run()");
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

test("keyboard only: type, choose, show, and start again", async () => {
  await using opened = await open();
  const { page, complaints } = opened;
  await page.keyboard.press("Tab");
  expect(await page.evaluate<string>("document.activeElement.id")).toBe("query");
  await page.keyboard.type("print", { delay: 20 });
  await options(page).first().waitFor();
  expect(await box(page).getAttribute("aria-expanded")).toBe("true");
  await page.keyboard.press("ArrowDown");
  const active = await box(page).getAttribute("aria-activedescendant");
  expect(await page.locator(`#${active}`).getAttribute("aria-selected")).toBe("true");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  const title = await page.locator('[aria-selected="true"] .title').textContent();
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: title ?? "" }).waitFor();
  expect(await status(page).textContent()).toBe(`Showing ${title}.`);
  for (let times = 0; times < 3; times += 1) await page.keyboard.press("Escape");
  expect(await box(page).inputValue()).toBe("");
  expect(await options(page).count()).toBe(0);
  expect(await box(page).getAttribute("aria-expanded")).toBe("false");
  expect(complaints).toEqual([]);
});

test("a name or a text is never markup, and what matched is marked", async () => {
  await using opened = await open();
  const { page, complaints } = opened;
  await type(page, "hostile printer");
  await options(page).first().waitFor();
  const hit = options(page).filter({ hasText: "onerror" });
  expect(await hit.locator(".title").textContent()).toBe(hostileName);
  expect(await page.locator("main img, main script").count()).toBe(0);
  expect(await hit.locator("mark").allTextContents()).toContain("hostile");
  await hit.click();
  expect(await page.title()).toBe("Search demo");
  expect(complaints).toEqual([]);
});

test("an answer that comes late is dropped", async () => {
  await using opened = await open();
  const { page } = opened;
  await type(page, "tea");
  await options(page).first().waitFor();
  const { promise: asked, resolve: ask } = Promise.withResolvers<Request>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/v1/demo/search", async (route) => {
    const { query } = route.request().postDataJSON() as { query: string };
    if (query === "toner") {
      ask(route.request());
      await released;
    }
    await route.continue().catch(() => {});
  });
  await box(page).fill("toner");
  const toner = await asked;
  await box(page).fill("incident");
  await options(page).filter({ hasText: "incident" }).first().waitFor();
  release();
  // It was answered or given up, and the page has drawn what it makes of that.
  await (await toner.response())?.finished();
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  expect(await options(page).allTextContents()).toEqual([expect.stringContaining("Printer incident 12.txt")]);
});

test("typing says so, and Enter does not", async () => {
  await using opened = await open();
  const { page } = opened;
  const sent: { typing: boolean; searchContent: boolean }[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/demo/search")) sent.push(request.postDataJSON());
  });
  await type(page, "tea");
  await options(page).first().waitFor();
  expect(sent.every(({ typing }) => typing)).toBe(true);
  expect(sent.length).toBeLessThan(4);
  await page.keyboard.press("Enter");
  await expect.poll(() => sent.at(-1)).toMatchObject({ typing: false, searchContent: true });
  await page.getByLabel("Search texts, not only names").press("Space");
  await expect.poll(() => sent.at(-1)).toMatchObject({ searchContent: false });
});

test("counts are switches that narrow the search, and each finds what it counts", async () => {
  await using opened = await open();
  const { page, complaints } = opened;
  const typed = answered(page, { query: "printer" });
  await type(page, "printer");
  await typed;
  for (const name of ["Type", "Workspace", "Year"]) {
    const group = page.getByRole("group", { name });
    const toggle = group.getByRole("button").first();
    const [, count = ""] = /\((\d+)\)$/.exec((await toggle.textContent()) ?? "") ?? [];
    const narrowed = answered(page);
    await toggle.press("Enter");
    expect([name, (await narrowed).total.value]).toEqual([name, Number(count)]);
    const pressed = group.locator('button[aria-pressed="true"]');
    await pressed.waitFor();
    expect(await page.evaluate<string>("document.activeElement.getAttribute('aria-pressed')")).toBe("true");
    expect(await violations(page)).toEqual([]);
    const widened = answered(page);
    await pressed.press("Space");
    await widened;
    await pressed.waitFor({ state: "detached" });
  }
  expect(complaints).toEqual([]);
});

test.each([
  ["title:toner", ["Toner order.txt"]],
  ["path:printers incident", ["Printer incident 12.txt"]],
  ["ext:txt toner", ["Toner order.txt"]],
  ["type:text toner", ["Toner order.txt"]],
  ["type:image printer", []],
  ["after:2026 toner", ["Toner order.txt"]],
  ["before:2020 toner", []],
  ["in:/printers warehouse", ["Printer incident 12.txt"]],
  ["toner OR warehouse", ["Printer incident 12.txt", "Toner order.txt"]],
  ["printer -warehouse -toner -hostile", ["Label printer setup.txt", "printers"]],
  ['"green button"', ["Label printer setup.txt"]],
  ["warehou*", ["Printer incident 12.txt"]],
])("the operators of %s work on the page", async (text, titles) => {
  await using opened = await open();
  const { page, complaints } = opened;
  await box(page).fill(text);
  const answer = answered(page);
  await page.keyboard.press("Enter");
  await answer;
  await expect.poll(async () => (await page.locator(".title").allTextContents()).toSorted()).toEqual(titles);
  expect(complaints).toEqual([]);
});

test("what is not understood is said, with a hint", async () => {
  await using opened = await open();
  const { page } = opened;
  await box(page).fill("toner type:zebra");
  await page.keyboard.press("Enter");
  await page.getByRole("listitem").filter({ hasText: "type:zebra" }).waitFor();
  expect(await options(page).count()).toBe(1);
});

test("every order is offered and used", async () => {
  await using opened = await open();
  const { page, complaints } = opened;
  await type(page, "printer");
  await options(page).nth(2).waitFor();
  for (const sort of ["updated", "created", "name", "size", "relevance"]) {
    const answer = answered(page, { sort });
    await page.getByLabel("Order by").selectOption(sort);
    const { hits } = await answer;
    if (sort === "name") expect(titlesOf(hits)).toEqual(titlesOf(hits).toSorted(byName));
    if (sort === "size")
      expect(hits.map(({ size }) => size)).toEqual(sizesOf(hits).toSorted((a, b) => b - a));
  }
  expect(complaints).toEqual([]);
});

interface Answered {
  total: { value: number };
  hits: { title: string; size: number }[];
}

const titlesOf = (hits: Answered["hits"]) => hits.map(({ title }) => title.toLowerCase());
const sizesOf = (hits: Answered["hits"]) => hits.map(({ size }) => size);
const byName = (left: string, right: string) => (left < right ? -1 : 1);

/** The next answer to such a question: while one types, earlier questions may still be open. */
async function answered(page: Page, asked: { query?: string; sort?: string } = {}): Promise<Answered> {
  const answer = await page.waitForResponse((response) => {
    if (!response.url().endsWith("/demo/search")) return false;
    const question: Record<string, unknown> = response.request().postDataJSON();
    return Object.entries(asked).every(([name, value]) => question[name] === value);
  });
  return (await answer.json()) as Answered;
}

test("files: added, found, and refused after the fifth or above 2 MB", async () => {
  await using opened = await open();
  const { page, complaints } = opened;
  const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  const log = page.getByRole("log", { name: "Uploads" });
  const input = page.getByLabel("Add files");
  await input.setInputFiles([file("penguin.txt", "a penguin on skis")]);
  await log.getByText("penguin.txt was added. You can find it now. 4 more can be added.").waitFor();
  await type(page, "skis");
  await options(page).filter({ hasText: "penguin.txt" }).waitFor();
  await input.setInputFiles([file("large.txt", "x".repeat(2_000_001))]);
  await log.getByText("large.txt is larger than 2 MB.").waitFor();
  await input.setInputFiles(Array.from({ length: 5 }, (_, number) => file(`${number}.txt`, `${number}`)));
  await log.getByText("4.txt was not sent: five files are all that the demo takes.").waitFor();
  expect(complaints).toEqual([]);
});

test("one's own files are found by owner, and counted", async () => {
  await using opened = await open();
  const { page, complaints } = opened;
  const content = {
    name: "own printer.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("a printer of mine"),
  };
  await page.getByLabel("Add files").setInputFiles([content]);
  await page.getByRole("log", { name: "Uploads" }).getByText("own printer.txt was added.").waitFor();
  await box(page).fill("owner:me printer");
  const mine = answered(page);
  await page.keyboard.press("Enter");
  expect(titlesOf((await mine).hits)).toEqual(["own printer.txt"]);

  await box(page).fill("printer");
  const all = answered(page);
  await page.keyboard.press("Enter");
  await all;
  const toggle = page.getByRole("group", { name: "Owner" }).getByRole("button", { name: /^Visitor/ });
  const [, count = ""] = /\((\d+)\)$/.exec((await toggle.textContent()) ?? "") ?? [];
  const narrowed = answered(page);
  await toggle.press("Enter");
  const { hits, total } = await narrowed;
  expect([titlesOf(hits), total.value]).toEqual([["own printer.txt"], Number(count)]);
  expect(complaints).toEqual([]);
});

describe.each([
  { name: "light", options: { colorScheme: "light" as const } },
  { name: "dark", options: { colorScheme: "dark" as const } },
  { name: "narrow", options: { viewport: { width: 320, height: 640 } } },
  { name: "zoomed to 200 %", options: { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 } },
  { name: "without motion", options: { reducedMotion: "reduce" as const } },
])("$name", ({ options: context }) => {
  test("has no violation, nothing is cut off, and everything has a name", async () => {
    await using opened = await open(context);
    const { page, complaints } = opened;
    expect(await violations(page)).toEqual([]);
    await type(page, "printer");
    await options(page).nth(2).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator("#chosen").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    for (const name of ["Search texts, not only names", "Add files"])
      expect(await page.getByLabel(name).count()).toBe(1);
    expect(complaints).toEqual([]);
  });
});

test("the checker finds a planted violation", async () => {
  await using opened = await open();
  const { page } = opened;
  await page.evaluate("document.querySelector('label[for=query]').remove()");
  await page.evaluate("document.documentElement.removeAttribute('lang')");
  expect((await violations(page)).join("\n")).toContain("html-has-lang");
});

test("the policy lets in nothing but the page's own files", async () => {
  const { headers } = await fetch(`${origin}/demo`);
  expect(headers.get("content-security-policy")).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(headers.get("set-cookie")).toBeNull();
});

test.runIf(process.env.SVC_PICTURES === "write")("takes the picture of the README", async () => {
  await using opened = await open({ viewport: { width: 900, height: 640 }, colorScheme: "light" });
  const { page } = opened;
  await type(page, "printer lab");
  await options(page).first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.locator('[aria-selected="true"]').waitFor();
  await mkdir(dirname(picture), { recursive: true });
  await page.screenshot({ path: picture });
});
