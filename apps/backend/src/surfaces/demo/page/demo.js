/**
 * The search box of the header, as it should behave everywhere. Text from the service is shown with textContent only,
 * so that no file name and no text of a document can become markup.
 */

const pauseMillis = 120;
const mostFiles = 5;
const mostBytes = 2_000_000;
const searchAddress = "/api/v1/demo/search";
const filesAddress = "/api/v1/demo/files";

/** The orders that a search knows, from the schema of the service. */
const fields = JSON.parse(document.body.dataset.fields);
const part = (id) => document.getElementById(id);
const query = part("query");
const list = part("hits");

let hits = [];
let active = -1;
let asked = 0;
let timer;
let running;
/** The first answer brings the cookie: until then others would be other visitors. */
let isKnown = false;
/** The chosen counts, by their operators: type:pdf. */
const chosen = new Map();

function make(name, { text, className, ...attributes } = {}, children = []) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function show(id, children) {
  part(id).replaceChildren(...children);
  part(id).hidden = children.length === 0;
}

function say(text, isBad = false) {
  part("status").textContent = text;
  part("status").className = isBad ? "bad" : "";
}

/** Pieces of text, of which some matched. */
function marked(pieces) {
  return pieces.map(({ text, match }) => (match ? make("mark", { text }) : document.createTextNode(text)));
}

async function send(address, init) {
  const answer = await fetch(address, { method: "POST", credentials: "same-origin", ...init });
  const body = await answer.json().catch(() => ({}));
  if (answer.ok) return body;
  throw new Error([body.detail ?? "The service did not answer.", body.hint].filter(Boolean).join(" "));
}

function question(isTyping) {
  return {
    query: [query.value, ...chosen.keys()].join(" ").trim(),
    searchContent: part("content").checked,
    typing: isTyping,
    limit: 10,
    sort: part("sort").value,
    facets: true,
  };
}

function searchSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => search(true), pauseMillis);
}

async function search(isTyping) {
  clearTimeout(timer);
  const number = ++asked;
  const body = question(isTyping);
  if (body.query === "") return clear();
  if (isKnown) running?.abort();
  else await running?.ended;
  if (number !== asked) return;
  const { promise: ended, resolve: end } = Promise.withResolvers();
  const controller = new AbortController();
  running = { abort: () => controller.abort(), ended };
  try {
    const answer = await send(searchAddress, {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: controller.signal,
    });
    isKnown = true;
    // An earlier answer that comes late is dropped.
    if (number === asked) showAnswer(answer);
  } catch (error) {
    if (number === asked && error.name !== "AbortError") {
      clear();
      say(error.message, true);
    }
  } finally {
    end();
  }
}

function showAnswer(answer) {
  hits = answer.hits ?? [];
  active = -1;
  list.replaceChildren(...hits.map(optionOf));
  list.hidden = hits.length === 0;
  query.setAttribute("aria-expanded", String(hits.length > 0));
  query.removeAttribute("aria-activedescendant");
  showFacets(answer.facets);
  show(
    "notes",
    notesOf(answer).map((text) => make("li", { text })),
  );
  say(countOf(answer));
}

function countOf({ total, emptyQuery }) {
  if (emptyQuery) return "Nothing to look for yet.";
  if (!total || total.value === 0) return "Nothing found.";
  const count = total.value.toLocaleString("en");
  return `${total.relation === "gte" ? "At least " : ""}${count} found.`;
}

/** What a person should know about the answer: words that were replaced or ignored, and what was searched. */
function notesOf({ corrections = [], ignored = [], suggestions = [], partial, semantic }) {
  const notes = corrections.map(
    ({ word, also }) => `Nothing contains ${word}. Also searched for ${also.join(", ")}.`,
  );
  notes.push(...ignored.map(({ text, hint }) => `${text}: ${hint}`));
  if (suggestions.length > 0) notes.push(`Did you mean: ${suggestions.join(", ")}?`);
  if (partial) notes.push("It took long, so not everything was searched.");
  if (semantic) notes.push(coverageOf(semantic));
  return notes;
}

function coverageOf({ state, reason, embedded = 0, waiting = 0 }) {
  if (state === "used")
    return `Searched by words and by meaning: ${embedded} files, ${waiting} still waiting.`;
  return `Searched by words${reason ? `: ${reason}` : ""}.`;
}

function kindOf({ entityType, mediaType }) {
  if (entityType === "FILE") return mediaType ? `File, ${mediaType}` : "File";
  return entityType.charAt(0) + entityType.slice(1).toLowerCase();
}

/** A record is in a collection, which is no path. */
function placeOf({ entityType, address, workspace, parent }) {
  if (entityType === "RECORD") return [workspace?.name, parent?.name].filter(Boolean).join(", ");
  return address ?? "";
}

function dayOf(moment) {
  return moment ? new Date(moment).toLocaleDateString("en", { dateStyle: "medium" }) : "";
}

function optionOf(hit, index) {
  const { titlePieces = [{ text: hit.title, match: false }], snippet = [] } = hit;
  const option = make("div", { id: `hit-${index}`, role: "option", "aria-selected": "false" }, [
    make("div", { className: "title" }, marked(titlePieces)),
    make("div", {
      className: "where",
      text: [kindOf(hit), placeOf(hit), dayOf(hit.updatedAt)].filter(Boolean).join(" · "),
    }),
    ...(snippet.length > 0 ? [make("div", { className: "snippet" }, marked(snippet))] : []),
  ]);
  option.addEventListener("click", () => {
    choose(index);
    open();
  });
  return option;
}

const facetNames = ["type", "workspace", "owner", "year"];

/** A chosen value stays, also when nothing has it any more: otherwise nobody could take it back. */
function showFacets(facets) {
  const focused = document.activeElement?.dataset?.operator;
  const shown = facetNames.map((name) => {
    const values = facets?.[name] ?? [];
    const gone = [...chosen].filter(
      ([operator, { of }]) => of === name && !values.some((each) => each.operator === operator),
    );
    return {
      name,
      values: [...values, ...gone.map(([operator, { label }]) => ({ label, count: 0, operator }))],
    };
  });
  show(
    "facets",
    shown
      .filter(({ values }) => values.length > 0)
      .map(({ name, values }) =>
        make("fieldset", {}, [
          make("legend", { text: name.charAt(0).toUpperCase() + name.slice(1) }),
          make(
            "div",
            { className: "values" },
            values.map((value) => toggleOf(name, value, facets?.about)),
          ),
        ]),
      ),
  );
  if (focused) document.querySelector(`[data-operator="${CSS.escape(focused)}"]`)?.focus();
}

function toggleOf(name, { label, count, operator }, isAbout) {
  const button = make("button", {
    type: "button",
    "aria-pressed": String(chosen.has(operator)),
    text: `${label} (${isAbout ? "about " : ""}${count.toLocaleString("en")})`,
  });
  button.dataset.operator = operator;
  button.addEventListener("click", () => {
    if (!chosen.delete(operator)) chosen.set(operator, { of: name, label });
    void search(false);
  });
  return button;
}

function choose(index) {
  const options = [...list.children];
  options[active]?.setAttribute("aria-selected", "false");
  active = index;
  const option = options[active];
  option?.setAttribute("aria-selected", "true");
  option?.scrollIntoView({ block: "nearest" });
  if (option) query.setAttribute("aria-activedescendant", option.id);
  else query.removeAttribute("aria-activedescendant");
}

/** Everything that is known about the hit came with it: no second request. */
function open() {
  const hit = hits[active];
  if (!hit) return;
  part("chosen-title").textContent = hit.title;
  const facts = {
    Kind: kindOf(hit),
    Where: placeOf(hit),
    Owner: hit.owner?.name,
    Changed: dayOf(hit.updatedAt),
    Size: hit.size === undefined ? undefined : `${hit.size.toLocaleString("en")} bytes`,
    Matched: hit.matched,
  };
  part("facts").replaceChildren(
    ...Object.entries(facts).flatMap(([name, text]) =>
      text ? [make("dt", { text: name }), make("dd", { text })] : [],
    ),
  );
  part("chosen").hidden = false;
  say(`Showing ${hit.title}.`);
}

function clear() {
  asked += 1;
  if (isKnown) running?.abort();
  hits = [];
  active = -1;
  show("hits", []);
  show("facets", []);
  show("notes", []);
  part("chosen").hidden = true;
  query.setAttribute("aria-expanded", "false");
  query.removeAttribute("aria-activedescendant");
  say("");
}

const keys = {
  ArrowDown: () => choose(hits.length === 0 ? -1 : (active + 1) % hits.length),
  ArrowUp: () => choose(active < 0 ? hits.length - 1 : active - 1),
  Enter: () => (active < 0 ? search(false) : open()),
  Escape: () => {
    if (active >= 0) return choose(-1);
    if (!part("chosen").hidden) {
      part("chosen").hidden = true;
      return undefined;
    }
    query.value = "";
    chosen.clear();
    return clear();
  },
};

query.addEventListener("keydown", (event) => {
  const act = keys[event.key];
  // While somebody composes a character, these keys belong to the composition.
  if (!act || event.isComposing) return;
  event.preventDefault();
  act();
});
query.addEventListener("input", searchSoon);
part("content").addEventListener("change", () => search(false));
part("sort").addEventListener("change", () => search(false));

part("sort").replaceChildren(...fields.sort.map((value) => make("option", { value, text: value })));

let uploaded = 0;

function tell(text, isBad = false) {
  part("uploads").append(make("p", { text, className: isBad ? "bad" : "" }));
}

async function upload(file) {
  if (file.size > mostBytes) return tell(`${file.name} is larger than 2 MB.`, true);
  if (uploaded >= mostFiles)
    return tell(`${file.name} was not sent: five files are all that the demo takes.`, true);
  try {
    const { text, filesLeft } = await send(filesAddress, {
      headers: { "content-type": "application/octet-stream", "x-file-name": encodeURIComponent(file.name) },
      body: file,
    });
    isKnown = true;
    uploaded = mostFiles - filesLeft;
    const read =
      text === undefined || text === "ok"
        ? "You can find it now."
        : `Its text could not be read (${text}), but its name is found.`;
    return tell(`${file.name} was added. ${read} ${filesLeft} more can be added.`);
  } catch (error) {
    return tell(`${file.name} was not added. ${error.message}`, true);
  }
}

/** One after the other, and after the first search, so that all belong to the same visitor. */
let uploads = Promise.resolve();

part("file").addEventListener("change", ({ target }) => {
  for (const file of target.files) {
    uploads = uploads.then(async () => {
      if (!isKnown) await running?.ended;
      await upload(file);
    });
  }
  target.value = "";
});
