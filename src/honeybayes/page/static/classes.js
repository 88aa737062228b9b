// Classes: add, rename, describe, merge, delete; groups of similar texts; the view "Start".

import { KEYS, ask, call, classOf, complain, current, find, isolated, make, onState, percent, plural, say, visible } from "./base.js";

const VERDICTS = {
  good: "Far enough for first suggestions: they fit the texts. Check each one.",
  unsure: "Not very far. Check the suggestions, add typical words, or label a few texts of each class.",
  poor: "Not at all. The names say little about these texts. Label a few texts of each class; the model then learns from them.",
};

// The dialog for one class

let edited = null; // the class, or null for a new one
let afterSave = null;

export function openClass(id, whenSaved = null) {
  edited = id == null ? null : classOf(id);
  afterSave = whenSaved;
  find("class-title").textContent = edited ? `Class “${edited.name}”` : "New class";
  find("class-name").value = edited?.name ?? "";
  find("class-words").value = edited?.words ?? "";
  find("class-definition").value = edited?.definition ?? "";
  find("class-use").checked = true;
  find("class-use-line").hidden = !whenSaved;
  const others = current().classes.filter((each) => each.id !== id);
  find("class-more").hidden = !edited;
  find("merge-into").replaceChildren(...others.map((each) => make("option", { value: each.id }, each.name)));
  find("merge").disabled = !others.length;
  complain("", "class-trouble");
  find("class-dialog").showModal();
  find("class-name").focus();
  find("class-name").select();
}

// A name that is almost one that exists, or has no letter, is often a slip of the keyboard.
async function isMeant(name) {
  const plain = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const near = current().classes.find((each) => each.id !== edited?.id && distance(plain(each.name), plain(name)) <= (plain(name).length > 5 ? 2 : 1));
  if (near) return ask("Another class?", `There is a class “${near.name}” already. Is “${name}” another one?`, "Yes, another one");
  return plain(name) ? true : ask("Is this a name?", `“${name}” has no letter. Shall it be a class?`, "Yes");
}

// The number of letters to change, add or remove between two words.
function distance(one, two) {
  let row = Array.from({ length: two.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= two.length; j++) next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (one[i - 1] === two[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[two.length];
}

async function saveClass(event) {
  event.preventDefault(); // the dialog stays open until the program has confirmed
  if (!edited && !(await isMeant(find("class-name").value))) return;
  const body = {
    name: find("class-name").value,
    words: find("class-words").value,
    definition: find("class-definition").value,
  };
  const known = new Set(current().classes.map((each) => each.id));
  try {
    const answer = await (edited ? call("PATCH", `/api/classes/${edited.id}`, body) : call("POST", "/api/classes", body));
    find("class-dialog").close();
    say(edited ? `Saved class ${body.name}.` : `Added class ${body.name}.`);
    const added = answer.state.classes.find((each) => !known.has(each.id));
    if (afterSave && added && find("class-use").checked) afterSave(added.id);
  } catch (problem) {
    complain(problem.message, "class-trouble");
  }
}

async function change(title, text, yes, send, done) {
  if (!(await ask(title, text, yes))) return;
  try {
    await send();
    find("class-dialog").close();
    say(done);
  } catch (problem) {
    complain(problem.message, "class-trouble");
  }
}

function mergeClass() {
  const { id, name, n_labels } = edited;
  const into = classOf(Number(find("merge-into").value));
  change(
    "Merge classes?",
    `${plural(n_labels, "label")} of “${name}” will become “${into.name}”, and “${name}” disappears. You can undo this.`,
    "Merge",
    () => call("POST", `/api/classes/${id}/merge`, { into: into.id }),
    `Merged ${name} into ${into.name}.`,
  );
}

function deleteClass() {
  const { id, name, n_labels } = edited;
  change(
    "Delete this class?",
    n_labels
      ? `“${name}” and its ${plural(n_labels, "label")} will be removed. The texts stay. You can undo this.`
      : `“${name}” will be removed. It has no labels. You can undo this.`,
    "Delete",
    () => call("DELETE", `/api/classes/${id}`),
    `Deleted ${name}.`,
  );
}

// Lists of classes, in the view "Start" and in a dialog

function describe(each, at) {
  return make(
    "li",
    {},
    make("kbd", {}, KEYS[at] ?? "–"),
    make(
      "div",
      { class: "grow" },
      make("strong", {}, make("bdi", {}, visible(each.name))),
      make("span", { class: "soft" }, ` ${plural(each.n_labels, "label")}`),
      each.definition ? make("p", {}, visible(each.definition)) : null,
      each.words ? make("p", { class: "soft" }, `Typical words: ${visible(each.words)}`) : null,
    ),
    make("button", { type: "button", "aria-label": `Edit ${each.name}`, "data-class": each.id }, "Edit"),
  );
}

let shown = "";

function showClasses(state) {
  const now = JSON.stringify(state.classes);
  if (now !== shown) {
    shown = now;
    for (const id of ["class-list", "classes-dialog-list"]) {
      const focused = find(id).contains(document.activeElement) ? document.activeElement.dataset.class : null;
      find(id).replaceChildren(...state.classes.map(describe));
      if (focused) find(id).querySelector(`[data-class="${focused}"]`)?.focus();
    }
  }
  find("no-classes").hidden = state.classes.length > 0;
  find("go-label").hidden = !state.classes.length;
  showTrust(state);
}

function showTrust({ model, classes, audit }) {
  const check = model.seeds_check;
  find("trust").hidden = !check || classes.length < 2 || !VERDICTS[check.verdict];
  if (find("trust").hidden) return;
  find("trust-verdict").textContent = VERDICTS[check.verdict];
  find("trust-measured").hidden = !audit;
  // names are a guess, random checks are a measurement
  if (audit) find("trust-measured").textContent = `Measured by now, with your labels: ${percent(audit.accuracy)} of the answers are right (${percent(audit.low)} to ${percent(audit.high)}, from ${plural(audit.n, "random check")}).`;
  const missing = Object.entries(check.missing ?? {}).filter(([, words]) => words.length);
  find("trust-missing").replaceChildren(
    ...missing.map(([name, words]) => make("li", {}, "Words of ", isolated(name), " that occur in no text: ", isolated(String(words)))),
  );
}

export function openClasses() {
  find("classes-dialog").showModal();
}

async function addFromForm(event) {
  event.preventDefault();
  const [name, words, definition] = ["name", "words", "definition"].map((each) => find(`add-${each}`));
  edited = null;
  if (!(await isMeant(name.value))) return;
  try {
    await call("POST", "/api/classes", { name: name.value, words: words.value, definition: definition.value });
    complain("");
    say(`Added class ${name.value}.`);
    event.target.reset();
    name.focus();
  } catch (problem) {
    complain(problem.message);
  }
}

// Groups of similar texts

async function showGroups() {
  const status = find("groups-status");
  const n = find("n-groups").value;
  status.textContent = "Looking for groups…";
  find("show-groups").disabled = true;
  try {
    let groups = null;
    for (let turn = 0; turn < 200; turn++) {
      groups = (await call("GET", `/api/groups?n=${n}`)).groups;
      if (groups) break;
      await new Promise((resolve) => setTimeout(resolve, 1500));
    }
    find("groups").replaceChildren(...(groups ?? []).map(describeGroup));
    status.textContent = groups?.length ? `${plural(groups.length, "group")}, the largest first.` : "There are no groups: the texts have too few words.";
  } catch (problem) {
    status.textContent = problem.message;
  }
  find("show-groups").disabled = false;
}

function describeGroup(group, at) {
  const id = `group-${at}`;
  const name = make("input", { id, required: true, autocomplete: "off", placeholder: "Your name for it" });
  const words = group.words.map(visible).join(" ");
  const done = make("p", { class: "soft", role: "status" });
  const save = async (event) => {
    event.preventDefault();
    const rows = group.examples.map((each) => each.row);
    try {
      await call("POST", "/api/groups/name", { rows, name: name.value, words: group.words.join(" ") });
      done.textContent = `Added class ${name.value}.`;
    } catch (problem) {
      done.textContent = problem.message;
    }
  };
  return make(
    "form",
    { class: "card group", onsubmit: save },
    make("h3", {}, words || "(no telling words)"),
    make("p", { class: "soft" }, plural(group.n_texts, "text")),
    make("ul", {}, ...group.examples.map((each) => make("li", { dir: "auto" }, visible(each.text)))),
    make("label", { for: id }, `Name of group ${at + 1}`),
    make("p", { class: "inline" }, name, make("button", {}, "Add class")),
    done,
  );
}

export function startClasses() {
  find("class-form").addEventListener("submit", saveClass);
  find("merge").addEventListener("click", mergeClass);
  find("delete").addEventListener("click", deleteClass);
  find("add-class").addEventListener("submit", addFromForm);
  find("show-groups").addEventListener("click", showGroups);
  find("classes-new").addEventListener("click", () => openClass(null));
  for (const id of ["class-list", "classes-dialog-list"]) {
    find(id).addEventListener("click", (event) => {
      const button = event.target.closest("[data-class]");
      if (button) openClass(Number(button.dataset.class));
    });
  }
  onState(showClasses);
}
