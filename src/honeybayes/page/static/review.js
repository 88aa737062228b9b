// The view "Review": all texts with filters, corrections in place, and many answers accepted at once.

import { KEYS, WINDOW, call, certainty, classOf, complain, current, find, isolated, make, nameOf, number, onState, plural, say, usesSingleKeys, visible, wantsKeys } from "./base.js";

let page = 1;
let nPages = 1;
let turn = 0; // the last request; answers to earlier ones are dropped

function query() {
  const wanted = new URLSearchParams({ page });
  const put = (name, value) => value && wanted.set(name, value);
  put("search", find("f-search").value.trim());
  put("class", find("f-class").value);
  put("source", find("f-source").value);
  put("sort", find("f-sort").value);
  put("show", find("f-show").value);
  if (find("f-confidence").value) put(...find("f-confidence").value.split("="));
  return wanted;
}

async function load(keepFocus = null) {
  const mine = ++turn;
  try {
    const found = await call("GET", `/api/texts?${query()}`);
    if (mine !== turn) return;
    nPages = Math.max(1, found.n_pages);
    if (page > nPages) {
      page = nPages;
      return load(keepFocus);
    }
    find("texts").replaceChildren(...found.texts.map(describe));
    find("review-status").textContent = found.n ? plural(found.n, "text") : "No text fits these filters.";
    find("page-at").textContent = `Page ${number(page)} of ${number(nPages)}`;
    find("page-before").disabled = page <= 1;
    find("page-after").disabled = page >= nPages;
    find("check-all").checked = false;
    countChecked();
    if (keepFocus != null) find("texts").querySelector(`[data-row="${keepFocus}"]`)?.focus();
    complain("");
  } catch (problem) {
    if (mine === turn) complain(problem.message);
  }
}

function describe(each) {
  const answer = each.label ?? each.model;
  const own = each.source === "person";
  const chips = [];
  const className = (id) => isolated(classOf(id)?.name ?? "?");
  if (each.is_suspicious && each.other != null) chips.push(make("span", { class: "chip warn" }, "The model says ", className(each.other), `, ${certainty(each.other_confidence)}`));
  else if (own) chips.push(make("span", { class: "chip" }, ...(each.who === current().who ? ["your label"] : ["label of ", isolated(each.who)]), each.purpose === "audit" ? ", random check" : null));
  else if (each.source === "model") chips.push(make("span", { class: "chip" }, `model, ${certainty(each.confidence ?? 0)}`));
  else chips.push(make("span", { class: "chip" }, "no answer"));
  const votes = Object.entries(each.votes);
  if (votes.length) {
    const differ = new Set(Object.values(each.votes)).size > 1;
    chips.push(make("span", { class: differ ? "chip warn" : "chip" }, ...votes.flatMap(([who, id], at) => [at ? ", " : null, isolated(who), ": ", className(id)])));
  }
  if (each.undecided) chips.push(make("span", { class: "chip" }, "undecided"));
  if (each.skipped) chips.push(make("span", { class: "chip" }, "skipped"));
  if (each.is_missing) chips.push(make("span", { class: "chip" }, "no longer in the table"));
  if (each.n_copies > 1) chips.push(make("span", { class: "chip" }, `occurs ${number(each.n_copies)} times`));
  const options = current().classes.map(({ id, name }) => make("option", { value: id, selected: id === answer }, visible(name)));
  const empty = make("option", { value: "", selected: answer == null }, own ? "(take the label away)" : "(no class)");
  const name = nameOf(each);
  return make(
    "li",
    { tabindex: "-1", "data-row": each.row, class: own ? "own" : "", "aria-label": name },
    make("input", { type: "checkbox", "aria-label": `Select ${name}`, disabled: each.model == null, onchange: countChecked }),
    make(
      "div",
      { class: "grow" },
      make("a", { href: `#label/${each.row}`, class: "snippet", dir: "auto" }, visible(each.text).trim() || "(an empty text)"),
      make("p", { class: "chips" }, make("span", { class: "soft" }, `${name} `), ...chips.flatMap((chip) => [chip, " "])),
      each.note ? make("p", { class: "soft" }, `Note: ${visible(each.note)}`) : null,
    ),
    make("select", { "aria-label": `Class of ${name}`, class: own ? "" : "guess", onchange: (event) => correct(each.row, event.target.value) }, empty, ...options),
  );
}

async function correct(row, value) {
  try {
    if (value === "") await call("POST", "/api/clear", { row });
    else await call("POST", "/api/label", { row, class_id: Number(value), purpose: "review", suggested: null, confidence: null, also: [], window: WINDOW });
    say(value === "" ? "Took the label away." : `Labeled ${classOf(Number(value)).name}.`);
  } catch (problem) {
    complain(`Not saved. ${problem.message}`);
    return;
  }
  await load(row);
}

const checkedRows = () => [...find("texts").querySelectorAll("li:has(input:checked)")].map((line) => Number(line.dataset.row));

function countChecked() {
  const n = checkedRows().length;
  find("accept").disabled = !n;
  find("accept").textContent = n ? `Accept ${plural(n, "answer")} of the model` : "Accept the model’s answers";
}

async function accept() {
  try {
    const { n } = await call("POST", "/api/accept", { rows: checkedRows() });
    await load();
    find("review-status").textContent = `${plural(n, "answer")} accepted. You can undo this with z.`;
  } catch (problem) {
    complain(`Not saved. ${problem.message}`);
  }
}

async function undo() {
  try {
    const { undone } = await call("POST", "/api/undo", { window: WINDOW });
    await load(focusedRow());
    find("review-status").textContent = undone || "There is nothing to undo.";
  } catch (problem) {
    complain(problem.message);
  }
}

const focusedLine = () => document.activeElement?.closest?.("#texts > li") ?? null;
const focusedRow = () => focusedLine()?.dataset.row ?? null;

function move(step) {
  const lines = [...find("texts").children];
  const at = lines.indexOf(focusedLine());
  lines[Math.min(lines.length - 1, Math.max(0, at + step))]?.focus();
}

export function onReviewKey(event) {
  if (!wantsKeys(event) || event.metaKey) return;
  const key = event.key.toLowerCase();
  if (event.ctrlKey ? key === "z" : key === "z" && usesSingleKeys()) {
    event.preventDefault();
    undo();
    return;
  }
  if (event.ctrlKey || !usesSingleKeys()) return;
  const line = focusedLine();
  const chosen = KEYS.indexOf(key) < 9 ? current().classes[KEYS.indexOf(key)] : null;
  const actions = {
    j: () => move(1),
    k: () => move(-1),
    x: () => line?.querySelector("input:enabled")?.click(),
    o: () => line && (location.hash = `#label/${line.dataset.row}`),
    "?": () => find("help-dialog").showModal(),
  };
  const action = actions[key] ?? (line && chosen ? () => correct(Number(line.dataset.row), String(chosen.id)) : null);
  if (!action) return;
  event.preventDefault();
  action();
}

function showFilter({ classes }) {
  const now = JSON.stringify(classes.map(({ id, name }) => [id, name]));
  if (find("f-class").dataset.shown === now) return;
  const chosen = find("f-class").value;
  find("f-class").dataset.shown = now;
  find("f-class").replaceChildren(make("option", { value: "" }, "Any"), ...classes.map(({ id, name }) => make("option", { value: id }, visible(name))));
  find("f-class").value = classes.some(({ id }) => String(id) === chosen) ? chosen : "";
}

let isFirst = true;

// The first time, suspicious labels come first, if there are any.
export async function enterReview() {
  if (isFirst) {
    isFirst = false;
    const { n } = await call("GET", "/api/texts?show=suspicious").catch(() => ({ n: 0 }));
    find("f-show").value = n > 0 ? "suspicious" : "";
  }
  await load();
}

// Go to the list of texts that are special in some way.
export function review(show) {
  isFirst = false;
  page = 1;
  find("filters").reset();
  find("f-show").value = show;
  location.hash = "#review";
}

export function startReview() {
  let timer = 0;
  const restart = () => {
    page = 1;
    load();
  };
  // not of the search: leaving it would load the list anew under the pointer that has just clicked
  find("filters").addEventListener("change", (event) => event.target.id !== "f-search" && restart());
  find("filters").addEventListener("submit", (event) => event.preventDefault());
  find("f-search").addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(restart, 250);
  });
  for (const [id, step] of [["page-before", -1], ["page-after", 1]]) {
    find(id).addEventListener("click", async () => {
      page += step;
      await load();
      find("texts").firstElementChild?.focus();
    });
  }
  find("check-all").addEventListener("change", (event) => {
    for (const box of find("texts").querySelectorAll("input:enabled")) box.checked = event.target.checked;
    countChecked();
  });
  find("accept").addEventListener("click", accept);
  onState(showFilter);
}
