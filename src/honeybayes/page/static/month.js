// The view "Next month": are the new texts like the old ones, and does the accuracy still hold?

import { call, complain, find, make, plural, visible } from "./base.js";
import { lookFor } from "./label.js";

const POLL = 700; // milliseconds
let turn = 0; // the last look; an earlier one ends

const VERDICTS = {
  drift: "The new texts differ from the old ones. Do steps 3 and 4 before you use the answers.",
  same: "The new texts are like the old ones, as far as can be seen.",
  unknown: "There are too few texts to say.",
};

async function load() {
  const mine = ++turn;
  for (;;) {
    let month;
    try {
      month = await call("GET", "/api/month");
    } catch (problem) {
      complain(problem.message);
      return;
    }
    if (mine !== turn || find("view-month").hidden) return;
    show(month);
    if (month.status !== "working") return;
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
}

function show(month) {
  const { status, has_new, verdict, lines, n_random, n_random_done, n_doubtful } = month;
  const isDone = status === "done";
  find("month-check").disabled = !has_new || status === "working";
  find("month-status").textContent = isDone
    ? VERDICTS[verdict]
    : { working: "Comparing… This can take a minute.", failed: month.message, idle: has_new ? "" : "No row has been added yet." }[status];
  find("month-lines").replaceChildren(...(isDone ? lines : []).map((line) => make("li", {}, visible(line))));
  find("month-random").disabled = !isDone || n_random_done === n_random;
  find("month-random").textContent = isDone ? `Label ${plural(n_random - n_random_done, "random text")}` : "Label random texts";
  find("month-doubtful").disabled = !isDone || !n_doubtful;
  find("month-judgement").textContent = isDone ? month.judgement : "";
}

async function send(url, body) {
  try {
    await call("POST", url, body);
    complain("");
    return true;
  } catch (problem) {
    complain(problem.message);
    return false;
  }
}

async function offer(kind) {
  if (!(await send("/api/month/offer", { kind }))) return;
  lookFor(null); // what was fetched ahead is not one of these
  location.hash = "#label";
}

export const enterMonth = load;

export function startMonth() {
  find("month-check").addEventListener("click", async () => (await send("/api/month/check")) && load());
  find("month-random").addEventListener("click", () => offer("random"));
  find("month-doubtful").addEventListener("click", () => offer("doubtful"));
}
