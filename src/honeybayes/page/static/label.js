// The view "Label": one text at a time. The next text is fetched ahead, so that it appears at once.

import { KEYS, WINDOW, call, certainty, classOf, complain, current, find, isolated, make, nameOf, number, onState, plural, say, usesSingleKeys, visible, wantsKeys } from "./base.js";
import { openClass, openClasses } from "./classes.js";
import { highlight } from "./marks.js";

const LONG = 1500; // characters; longer texts fold
const FOLDED = 1100;
const MANY = 9; // classes; with more, they can be searched, and the likeliest come first
const GROUP = /^(.+?)\s*(?:[:/>›]|\s[-–]\s)\s*(?=\S)/u; // "Card: lost" is in the group "Card"

let open = null; // the text that is shown
let ahead = null; // the one that comes next
let isSaving = false;
let isLoading = false;
let waiting = null; // what the person did while the last answer was being saved
let isFolded = true;
let isEmpty = false; // the program has no text left
let wanted = null; // the class that the person looks for

const isVisible = () => !find("view-label").hidden;
const NO_SUGGESTION = ["audit", "double", "check"];
const besides = (...items) => items.filter(Boolean).map((item) => item.row);

// Show a text

function show(item, focus = true) {
  open = item;
  isFolded = true;
  find("item").setAttribute("aria-busy", "false");
  showText();
  showAbout();
  showAlike();
  find("find-class").value = "";
  showButtons();
  if (focus && isVisible() && !document.querySelector("dialog[open]")) {
    find("item").focus({ preventScroll: true });
    find("item").scrollTop = 0;
    if (scrollY > 0 && innerWidth < 900) scrollTo(0, 0);
  }
}

function suggested() {
  return open && !NO_SUGGESTION.includes(open.purpose) && open.class_id != null ? classOf(open.class_id) : null;
}

// Whether the vector of the text says more for the suggested class than all words together.
const isByMeaning = () => suggested() && open.lead_of_meaning > Math.max(open.lead_of_words, 0);

function showText() {
  const text = open ? visible(open.text) : "";
  const isLong = text.length > LONG;
  find("fold").hidden = !isLong;
  find("fold-button").replaceChildren(isFolded ? "Show all " : "Fold ", make("kbd", {}, "f"));
  find("fold-button").setAttribute("aria-expanded", String(!isFolded));
  find("fold-size").textContent = isLong ? `${number(text.length)} characters${open.is_cut ? ", the rest of the text is left out" : ""}` : "";
  const part = isLong && isFolded ? `${text.slice(0, FOLDED).replace(/[\ud800-\udbff]$/, "")} …` : text;
  const words = new Map(suggested() ? open.words.map((each) => [each.word, each.lead]) : []);
  const most = Math.max(...words.values()) * (isByMeaning() ? open.lead_of_meaning / Math.max(open.lead_of_words, 0) : 1);
  find("text").replaceChildren(...highlight(part, words, most));
  find("text").classList.toggle("none", !text.trim());
  if (open && !text.trim()) find("text").textContent = "(an empty text)";
}

function showAbout() {
  const about = find("about");
  if (!open) {
    about.textContent = isEmpty ? "Done" : "";
    return;
  }
  const parts = [make("strong", {}, nameOf(open))];
  if (open.n_copies > 1) parts.push(make("span", { class: "chip" }, `occurs ${number(open.n_copies)} times`));
  if (open.purpose === "audit" || open.purpose === "check") parts.push(make("span", { class: "chip audit" }, "Random check: your own answer, no suggestion"));
  if (open.purpose === "double") parts.push(make("span", { class: "chip audit" }, "Second opinion: your own answer, without the label of the other person"));
  if (open.purpose === "review") parts.push(make("span", { class: "chip" }, "from the review"));
  if (isByMeaning()) parts.push(make("span", { class: "chip" }, "suggested mostly by the meaning of the text"));
  if (open.undecided) parts.push(make("span", { class: "chip" }, "undecided"));
  for (const [column, id] of Object.entries(open.said)) {
    const known = classOf(id);
    if (known) parts.push(make("span", { class: "chip" }, isolated(column), ": ", isolated(known.name)));
  }
  about.replaceChildren(...parts.flatMap((part) => [part, " "]));
  find("item-note").textContent = open.note ? `Note: ${visible(open.note)}` : "";
  find("item-note").hidden = !open.note;
}

function showAlike() {
  const alike = open?.alike ?? [];
  find("alike").hidden = !alike.length;
  find("alike-list").replaceChildren(
    ...alike.map((each) =>
      make(
        "li",
        {},
        make("input", { type: "checkbox", id: `alike-${each.row}`, value: each.row }),
        make("label", { for: `alike-${each.row}`, dir: "auto" }, visible(each.text)),
      ),
    ),
  );
}

const alikeBoxes = () => [...find("alike-list").querySelectorAll("input")];

function toggleAlike() {
  const boxes = alikeBoxes();
  const all = boxes.every((box) => box.checked);
  for (const box of boxes) box.checked = !all;
  if (boxes.length) say(all ? "No similar text selected." : `${plural(boxes.length, "similar text")} selected.`);
}

function toggleFold() {
  if (find("fold").hidden) return;
  isFolded = !isFolded;
  showText();
}

function showNothing() {
  open = null;
  show(null, false);
  const { model, classes, counts } = current();
  isEmpty = model.status !== "reading";
  find("about").textContent = isEmpty ? "No text is left" : "One moment";
  find("text").textContent = isEmpty
    ? `You have dealt with all texts: ${plural(counts.labeled, "label")}, ${number(counts.skipped)} skipped, ${number(counts.undecided)} undecided. Go to “Quality”, “Review” or “Finish”.`
    : `The program is reading the texts. The first one appears here by itself.${classes.length < 2 ? " Meanwhile, add your classes: press “New class”." : ""}`;
}

// Class buttons: a fixed order, and nothing moves when the suggestion changes

let shownClasses = "";
const hasMany = () => current().classes.length > MANY;

const groupOf = ({ name }) => name.match(GROUP)?.[1] ?? "";
const likelyClasses = () => (NO_SUGGESTION.includes(open?.purpose) ? [] : (open?.likely ?? []).map(classOf).filter(Boolean));

// The classes as they are listed: with many of them, the likeliest first, then by group.
function listed() {
  const { classes } = current();
  if (!hasMany()) return classes;
  const searched = find("find-class").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (searched.length) return classes.filter(({ name }) => searched.every((part) => name.toLowerCase().includes(part)));
  const likely = likelyClasses();
  const rest = classes.filter((each) => !likely.includes(each));
  const first = new Map(); // groups stay in the order of their first classes
  for (const each of rest) if (!first.has(groupOf(each))) first.set(groupOf(each), first.size);
  return [...likely, ...rest.sort((one, two) => first.get(groupOf(one)) - first.get(groupOf(two)))];
}

// The buttons, with the name of each group above its first class.
function makeButtons(shown) {
  const nLikely = find("find-class").value.trim() ? shown.length : likelyClasses().length;
  return shown.flatMap((each, at) => {
    const name = groupOf(each);
    const isFirst = hasMany() && name && at >= nLikely && (at === nLikely || name !== groupOf(shown[at - 1]));
    return isFirst ? [make("li", { class: "soft group-name" }, visible(name)), makeButton(each, at)] : [makeButton(each, at)];
  });
}

function showButtons() {
  const { classes } = current();
  const shown = listed();
  const now = JSON.stringify(shown.map(({ id, name, definition }) => [id, name, definition]));
  find("find-line").hidden = !hasMany();
  if (now !== shownClasses) {
    shownClasses = now;
    find("buttons").replaceChildren(...makeButtons(shown));
    find("buttons").scrollTop = 0;
    find("no-buttons").hidden = classes.length > 0;
  }
  for (const { id, n_labels } of shown) {
    find("buttons").querySelector(`[data-class="${id}"] .count`).textContent = number(n_labels);
  }
  markButtons();
}

function makeButton({ id, name, definition }, at) {
  const key = KEYS[at];
  return make(
    "li",
    {},
    make(
      "button",
      { type: "button", class: "class", "data-class": id, "aria-keyshortcuts": key, onclick: () => label(id) },
      make("kbd", { "aria-hidden": "true" }, key ?? "–"),
      make(
        "span",
        { class: "grow" },
        make("bdi", { class: "name" }, visible(name)),
        definition ? make("span", { class: "definition", title: visible(definition) }, visible(definition)) : null,
      ),
      make("span", { class: "side" }, make("span", { class: "hint" }), make("span", { class: "count", "aria-hidden": "true" })),
    ),
  );
}

function markButtons() {
  const best = suggested()?.id;
  for (const button of find("buttons").querySelectorAll("button")) {
    const id = Number(button.dataset.class);
    const isBest = id === best;
    button.classList.toggle("best", isBest);
    button.classList.toggle("given", open?.label === id);
    button.querySelector(".hint").textContent =
      open?.label === id ? "your label" : isBest ? `suggested${open.confidence == null ? "" : ` ${certainty(open.confidence)}`}` : "";
  }
}

// Answers

function label(id) {
  if (!open || !classOf(id)) return;
  const best = suggested();
  const also = alikeBoxes().filter((box) => box.checked).map((box) => Number(box.value));
  if (also.includes(ahead?.row)) ahead = null;
  const body = { class_id: id, suggested: best?.id ?? null, confidence: best ? open.confidence : null, also };
  const name = visible(classOf(id).name);
  answer("/api/label", body, also.length ? `${also.length + 1} texts: ${name}` : name);
}

async function answer(url, body, said) {
  if (!open) return;
  if (isSaving) {
    const item = open;
    waiting ??= () => item === open && answer(url, body, said); // one step ahead, not more
    return;
  }
  const item = open;
  const next = ahead;
  isSaving = true;
  ahead = null;
  if (next) show(next);
  else find("item").setAttribute("aria-busy", "true");
  try {
    const { item: found } = await call("POST", url, {
      row: item.row, purpose: item.purpose, window: WINDOW, wanted, ...body, besides: besides(next),
    });
    complain("");
    find("result").textContent = `✓ ${said}`;
    if (!next) found ? show(found) : showNothing();
    else if (found && found.row !== next.row) ahead = found;
    announce(said);
  } catch (problem) {
    waiting = null;
    ahead = next;
    show(item);
    find("result").textContent = "";
    complain(`Not saved. ${problem.message}`);
  }
  isSaving = false;
  const then = waiting;
  waiting = null;
  then?.();
  lookAhead();
}

function announce(said) {
  const best = suggested();
  const next = !open ? "No text is left." : NO_SUGGESTION.includes(open.purpose) ? "Next: random check, no suggestion." : best ? `Next: suggested ${best.name}, ${certainty(open.confidence ?? 0)}.` : "Next text.";
  say(`${said}. ${next}`);
}

async function load() {
  if (isLoading || isSaving) return;
  isLoading = true;
  try {
    const { item } = await call("POST", "/api/next", { window: WINDOW, wanted, besides: [] });
    if (!open) item ? show(item) : showNothing();
  } catch (problem) {
    complain(problem.message);
  }
  isLoading = false;
  lookAhead();
}

// Fetch the text that comes next; after the model has learned, a fresh one.
async function lookAhead(isFresh = false) {
  if (!open || (ahead && !isFresh) || isLoading || isSaving) return;
  isLoading = true;
  const shown = open;
  try {
    const { item } = await call("POST", "/api/next", { window: WINDOW, wanted, besides: besides(open) });
    if (item && open === shown && !isSaving && item.row !== open.row) ahead = item;
  } catch {
    // the next answer will say it
  }
  isLoading = false;
}

async function undo() {
  if (isSaving) {
    waiting ??= undo;
    return;
  }
  isSaving = true;
  try {
    const { undone, item } = await call("POST", "/api/undo", { window: WINDOW });
    complain("");
    find("result").textContent = undone || "There is nothing to undo.";
    say(undone || "There is nothing to undo.");
    if (item) {
      ahead = open && open.row !== item.row ? open : ahead;
      show(item);
    }
  } catch (problem) {
    complain(problem.message);
  }
  isSaving = false;
  const then = waiting;
  waiting = null;
  then?.();
  if (!open) load();
  else lookAhead();
}

const skip = () => answer("/api/skip", {}, "Skipped");
const undecided = () => answer("/api/undecided", {}, "Undecided");
const newClass = () => openClass(null, open ? label : null);

async function openHistory() {
  if (!open) return;
  const isHidden = open.purpose === "double"; // it would tell the label of the other person
  const { events } = isHidden ? { events: [] } : await call("GET", `/api/history?row=${open.row}`);
  const lines = events.map(({ time, who, what }) => make("li", {}, make("span", { class: "grow" }, visible(what)), make("span", { class: "soft" }, `${visible(who)}, ${new Date(time).toLocaleString()}`)));
  const none = isHidden ? "It is shown after your own answer." : "Nobody has said anything about this text yet.";
  find("history-list").replaceChildren(...(lines.length ? lines : [make("li", { class: "soft" }, none)]));
  find("history-dialog").showModal();
}

function openNote() {
  if (!open) return;
  find("note-text").value = open.note ?? "";
  complain("", "note-trouble");
  find("note-dialog").showModal();
}

async function saveNote(event) {
  event.preventDefault();
  const item = open;
  try {
    await call("POST", "/api/note", { row: item.row, text: find("note-text").value });
    item.note = find("note-text").value;
    find("note-dialog").close();
    showAbout();
    say("Saved the note.");
  } catch (problem) {
    complain(problem.message, "note-trouble");
  }
}

// Keys

const ACTIONS = { s: skip, u: undecided, z: undo, n: newClass, e: openNote, f: toggleFold, a: toggleAlike, c: openClasses, "?": () => find("help-dialog").showModal() };

export function onLabelKey(event) {
  if (!wantsKeys(event)) return;
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() === "z" && !event.shiftKey) act(event, undo);
    return;
  }
  if (event.key === "Enter") {
    if (event.target.closest("button, a, input, summary")) return;
    const best = suggested();
    if (best) act(event, () => label(best.id));
    return;
  }
  if (!usesSingleKeys()) return;
  const key = event.key.toLowerCase();
  if (key === "/" && hasMany()) {
    act(event, () => find("find-class").focus());
    return;
  }
  const chosen = listed()[KEYS.indexOf(key)];
  if (ACTIONS[key]) act(event, ACTIONS[key]);
  else if (chosen) act(event, () => label(chosen.id));
}

function act(event, action) {
  event.preventDefault();
  action();
}

// Progress

function modelStatus({ model, counts }) {
  if (model.status === "reading") return "Reading the texts…";
  if (model.status === "failed") return model.message || "The model failed. Your labels are safe.";
  if (model.status === "learning") return `Learning from ${plural(counts.labeled, "label")}…`;
  if (model.status === "waiting" || model.n_labels == null) return model.message || "The model needs two classes.";
  if (!model.n_labels) return "Suggestions come from the names of the classes";
  const changed = model.n_changed == null ? "" : model.n_changed ? `, ${plural(model.n_changed, "answer")} changed` : ", no answer changed";
  return `Learned from ${plural(model.n_labels, "label")}${changed}`;
}

function showProgress(state) {
  const { labeled, audited, undecided: n_undecided, skipped, own } = state.counts;
  const counts = [`${number(labeled)} of ${plural(state.n_texts, "text")} labeled`, plural(audited, "random check")];
  if (state.people.length > 1) counts.splice(1, 0, `${number(own)} by you`);
  if (n_undecided) counts.push(`${number(n_undecided)} undecided`);
  if (skipped) counts.push(`${number(skipped)} skipped`);
  find("counts").textContent = counts.join(" · ");
  find("model").textContent = `${modelStatus(state)} · ${state.model.vectors}`;
  find("model").classList.toggle("busy", ["reading", "learning"].includes(state.model.status));
  find("do-undo").disabled = !state.can_undo;
  find("may-stop").hidden = !state.advice?.stop;
  const class_ = wanted == null ? null : classOf(wanted);
  find("wanted").hidden = !class_;
  find("wanted-name").textContent = class_ ? `Texts that may be “${visible(class_.name)}”` : "";
}

// Offer texts that are likely of one class, or all texts again (null).
export function lookFor(id) {
  wanted = id;
  open = ahead = null;
  showProgress(current());
}

function onChange(state, before) {
  showButtons();
  showProgress(state);
  const same = (one, two) => JSON.stringify(one.classes.map((each) => each.id)) === JSON.stringify(two.classes.map((each) => each.id));
  if (before && !same(state, before)) {
    ahead = null; // its suggestion may be a class that is gone
    if (open) {
      showText();
      showAbout();
    }
    lookAhead();
  }
  else if (before && state.model.n_labels !== before.model.n_labels) lookAhead(true);
  if (before && state.event !== before.event) isEmpty = false;
  if (!open && isVisible() && state.model.status !== "reading" && !isEmpty) load();
}

// Enter the view: with the number of a row, show this text.
export async function enterLabel(row) {
  if (row != null) {
    try {
      const { item } = await call("GET", `/api/item?row=${row}`);
      if (open && open.row !== item.row && open.purpose !== "review") ahead = open;
      show(item);
    } catch (problem) {
      complain(problem.message);
    }
    lookAhead();
    return;
  }
  isEmpty = false;
  // a text without a suggestion may have one by now
  if (open && open.class_id == null && open.purpose === "chosen" && current().model.status === "ready") open = ahead = null;
  if (open) find("item").focus({ preventScroll: true });
  else await load();
}

export function startLabel() {
  find("do-undo").addEventListener("click", undo);
  find("do-skip").addEventListener("click", skip);
  find("do-undecided").addEventListener("click", undecided);
  find("do-new").addEventListener("click", newClass);
  find("do-note").addEventListener("click", openNote);
  find("do-history").addEventListener("click", openHistory);
  find("find-class").addEventListener("input", showButtons);
  find("find-class").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    const [first] = event.key === "Enter" && event.target.value.trim() ? listed() : [];
    event.target.value = "";
    find("item").focus({ preventScroll: true });
    if (first) label(first.id);
    else showButtons();
  });
  find("wanted-end").addEventListener("click", () => {
    lookFor(null);
    load();
  });
  find("do-classes").addEventListener("click", openClasses);
  find("do-help").addEventListener("click", ACTIONS["?"]);
  find("fold-button").addEventListener("click", toggleFold);
  find("alike-all").addEventListener("click", toggleAlike);
  find("note-form").addEventListener("submit", saveNote);
  onState(onChange);
}
