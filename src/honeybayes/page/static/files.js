// The view "Files": choose a table, begin a project, add this month's table, answer a new table.

import { call, complain, current, find, make, number, plural, visible } from "./base.js";

const POLL = 500; // milliseconds
let office = null;
let chosen = null; // the table whose first rows are shown

const say = (text) => {
  find("files-status").textContent = text;
};

// Do something that may take a while; problems are shown at the top.
async function attempt(text, doing) {
  say(text);
  try {
    complain("");
    return await doing();
  } catch (problem) {
    complain(problem.message);
    say("");
    return null;
  }
}

async function upload(file) {
  if (!file) return;
  const saved = await attempt(`Copying ${file.name}…`, () => call("PUT", `/api/files/${encodeURIComponent(file.name)}`, file));
  find("file").value = "";
  if (saved) await preview(saved.name);
}

async function preview(name) {
  const found = await attempt(`Reading ${name}…`, () => call("GET", `/api/preview?name=${encodeURIComponent(name)}`));
  if (!found) return;
  chosen = found.name;
  say("");
  find("table-name").textContent = visible(found.name);
  find("table-rows").replaceChildren(
    make("thead", {}, make("tr", {}, ...found.columns.map((column) => make("th", { scope: "col" }, visible(column))))),
    make("tbody", {}, ...found.rows.map((row) => make("tr", {}, ...found.columns.map((column) => make("td", { dir: "auto" }, visible(row[column] ?? "")))))),
  );
  fill("t-text", found.columns, found.text);
  fill("t-id", found.columns, found.id, "None");
  fill("t-label", found.columns, null, "None");
  fill("t-language", office.languages, "auto");
  const box = (column) => make("label", { class: "check" }, make("input", { type: "checkbox", value: column }), visible(column));
  find("t-sources").replaceChildren(...found.columns.map(box));
  offerSources();
  find("table-form").hidden = false;
  find("t-month").hidden = find("t-classify").hidden = !office.is_open;
  find("t-text").focus();
}

// A column of texts, ids or labels is no source.
function offerSources() {
  const used = ["t-text", "t-id", "t-label"].map((id) => find(id).value);
  for (const box of find("t-sources").querySelectorAll("input")) {
    box.parentElement.hidden = used.includes(box.value);
    box.checked &&= !box.parentElement.hidden;
  }
}

function fill(id, names, best, none = null) {
  const options = names.map((name) => make("option", { value: name, selected: name === best }, visible(name)));
  if (none) options.unshift(make("option", { value: "", selected: best == null }, none));
  find(id).replaceChildren(...options);
}

// Another project is another page: nothing of the first one may stay.
function goTo(hash) {
  location.hash = hash;
  location.reload();
}

async function begin(event) {
  event.preventDefault();
  const body = { name: chosen };
  for (const name of ["text", "id", "label", "language"]) body[name] = find(`t-${name}`).value || null;
  body.sources = [...find("t-sources").querySelectorAll(":checked")].map((box) => box.value);
  const hasClasses = body.label || body.sources.length > 0;
  if (await attempt("Reading the texts…", () => call("POST", "/api/begin", body))) goTo(hasClasses ? "#label" : "#start");
}

async function open(name) {
  if (await attempt("Opening the project…", () => call("POST", "/api/open", { name }))) goTo("#label");
}

async function addMonth() {
  const found = await attempt("Comparing the rows…", () => call("POST", "/api/month", { name: chosen }));
  if (!found) return;
  find("table-form").hidden = true;
  say(`${found.said.join(" ")} Go on with “Label”.`);
}

async function classify() {
  if (!(await attempt("", () => call("POST", "/api/classify", { name: chosen })))) return;
  find("table-form").hidden = true;
  await watch();
}

// Show how far the answers are, until they are there.
async function watch() {
  for (;;) {
    const work = await call("GET", "/api/classify").catch((problem) => ({ status: "failed", message: problem.message }));
    find("work").hidden = work.status === "idle";
    if (work.status === "idle") return;
    const isWorking = work.status === "working";
    const bar = find("work-progress");
    bar.max = work.n_rows || 1;
    if (isWorking && !work.n_done) bar.removeAttribute("value");
    else bar.value = work.n_done ?? 0;
    bar.hidden = !isWorking;
    find("work-stop").hidden = !isWorking;
    find("work-file").hidden = work.status !== "done";
    find("work-file").dataset.file = work.file;
    find("work-status").textContent = {
      working: work.n_done ? `${number(work.n_done)} of ${plural(work.n_rows, "text")}` : "Learning from all labels…",
      done: `${plural(work.n_rows, "text")} answered. The file is ${work.file}, in the folder of this project.`,
      stopped: "Stopped. No file was written.",
      failed: work.message,
    }[work.status];
    if (!isWorking) return;
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
}

// One line per file: its name, the folder if it is in another one, and what can be done with it.
function list(id, files, text, action) {
  find(`no-${id}`).hidden = files.length > 0;
  const line = ({ name, path, folder }) =>
    make(
      "li",
      {},
      make("span", { class: "grow" }, visible(name), folder ? make("span", { class: "soft under" }, visible(folder)) : null),
      make("button", { type: "button", "aria-label": `${text} ${name}`, onclick: () => action(path ?? name) }, text),
    );
  find(id).replaceChildren(...files.map(line));
}

export async function enterFiles() {
  office = await attempt("", () => call("GET", "/api/office"));
  if (!office) return;
  find("no-projects").textContent = office.is_open ? "There is no other project in this folder, and no recent one." : "There is no project in this folder yet, and no recent one.";
  find("folder").textContent = visible(office.folder);
  find("file").accept = [...office.endings, ".gz"].join(",");
  const here = office.projects.filter((name) => name !== `${current()?.name}.hbproject`).map((name) => ({ name }));
  list("projects", [...here, ...office.recent], "Open", open);
  list("tables", office.tables.map((name) => ({ name })), "Choose", preview);
  await watch();
}

export function startFiles() {
  const drop = find("drop");
  find("file").addEventListener("change", (event) => upload(event.target.files[0]));
  for (const kind of ["dragover", "dragleave", "drop"]) {
    drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", kind === "dragover");
    });
  }
  drop.addEventListener("drop", (event) => upload(event.dataTransfer.files[0]));
  find("table-form").addEventListener("submit", begin);
  find("table-form").addEventListener("change", offerSources);
  find("t-month").addEventListener("click", addMonth);
  find("t-classify").addEventListener("click", classify);
  find("work-stop").addEventListener("click", () => attempt("", () => call("POST", "/api/classify/stop")));
}
