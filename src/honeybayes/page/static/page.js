// The page: routes, the state of the project, downloads. Each view has a module of its own.

import { call, complain, current, download, enter, find, onState, update, usesSingleKeys, visible } from "./base.js";
import { startClasses } from "./classes.js";
import { enterLabel, onLabelKey, startLabel } from "./label.js";
import { enterFiles, startFiles } from "./files.js";
import { enterMonth, startMonth } from "./month.js";
import { enterQuality, startQuality } from "./quality.js";
import { enterReview, onReviewKey, startReview } from "./review.js";

const POLL = 1500; // milliseconds
const VIEWS = {
  files: { title: "Files", enter: enterFiles },
  start: { title: "Classes" },
  label: { title: "Label", enter: enterLabel, onKey: onLabelKey },
  quality: { title: "Quality", enter: enterQuality },
  review: { title: "Review", enter: enterReview, onKey: onReviewKey },
  finish: { title: "Finish" },
  month: { title: "Next month", enter: enterMonth },
};

let view = null;

function route() {
  const [name, row] = location.hash.slice(1).split("/");
  if (name === "main-start") return; // the link that skips the navigation
  if (name.startsWith("token=")) {
    location.reload(); // the address of another start, in the same tab
    return;
  }
  if (!VIEWS[name] || (!current() && name !== "files")) {
    location.replace(!current() ? "#files" : current().classes.length ? "#label" : "#start");
    return;
  }
  const isNew = name !== view;
  view = name;
  for (const each of Object.keys(VIEWS)) {
    find(`view-${each}`).hidden = each !== name;
    const link = document.querySelector(`nav a[href="#${each}"]`);
    if (each === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = [VIEWS[name].title, current()?.name, "honeybayes"].filter(Boolean).join(" – ");
  complain("");
  if (isNew) {
    scrollTo(0, 0);
    find(`h-${name}`).focus({ preventScroll: true });
  }
  VIEWS[name].enter?.(/^\d+$/.test(row ?? "") ? Number(row) : null);
}

// Ask for the state again and again, while the page is visible.

let isLost = false;

async function poll() {
  if (!document.hidden && current()) {
    try {
      update(await call("GET", "/api/state"));
      if (isLost) complain("");
      isLost = false;
    } catch (problem) {
      isLost = true;
      complain(problem.message);
    }
  }
  setTimeout(poll, POLL);
}

async function save(event) {
  const link = event.target.closest("a[data-file]");
  if (!link) return;
  event.preventDefault(); // a link cannot send the token
  const status = find(link.dataset.status ?? "finish-status");
  status.textContent = `Preparing ${link.dataset.file}…`;
  try {
    const plain = link.dataset.file.endsWith(".csv") && find("plain-cells").checked ? "?plain=1" : "";
    const url = URL.createObjectURL(await download(link.getAttribute("href") + plain));
    const name = link.dataset.status ? link.dataset.file : `${current().name}.${link.dataset.file}`.replace(/\.model\.hb$/, ".hb");
    const file = document.createElement("a");
    file.href = url;
    file.download = name;
    file.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    status.textContent = `Saved ${name} in your downloads.`;
  } catch (problem) {
    status.textContent = problem.message;
  }
}

function showAbout(state, before) {
  if (!before) for (const each of document.querySelectorAll("[data-about]")) each.textContent = visible(state[each.dataset.about]);
  find("set-aside").textContent = visible(state.set_aside);
  find("set-aside").hidden = !state.set_aside;
}

async function start() {
  startClasses();
  startLabel();
  startQuality();
  startReview();
  startFiles();
  startMonth();
  document.addEventListener("keydown", (event) => current() && VIEWS[view]?.onKey?.(event));
  document.addEventListener("click", (event) => event.target.closest("[data-close]")?.closest("dialog").close());
  document.addEventListener("click", save);
  onState(showAbout);
  find("use-keys").checked = usesSingleKeys();
  find("use-keys").addEventListener("change", (event) => localStorage.setItem("single-keys", event.target.checked ? "yes" : "no"));
  for (;;) {
    try {
      await enter();
      const { is_open } = await call("GET", "/api/office");
      if (is_open) update(await call("GET", "/api/state"));
      break;
    } catch (problem) {
      complain(problem.message);
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
  }
  const { name, who, people } = current() ?? { name: "honeybayes", people: [] };
  find("project").textContent = name;
  find("who").textContent = people.length > 1 ? `You are ${visible(who)}` : "";
  document.body.classList.toggle("closed", !current());
  complain("");
  addEventListener("hashchange", route);
  route();
  setTimeout(poll, POLL);
}

start();
