// The view "Quality": may I stop?

import { call, classOf, complain, current, find, make, makeSvg, number, onState, percent, plural, visible } from "./base.js";
import { lookFor } from "./label.js";
import { review } from "./review.js";

const isNarrow = () => innerWidth < 600; // letters in a chart shrink with it
const HEIGHT = 220;
const LEFT = 50;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 42;
const FEW = 30; // random checks; with fewer, the interval says more than the figure

// Lines over the number of labels. A series is {points, name, isDashed}.
function drawChart(series, limit, description) {
  const width = isNarrow() ? 330 : 480;
  const points = series.flatMap((each) => each.points);
  const most = Math.max(...points.map((point) => point.n_labels), 10);
  const lowest = Math.min(...points.map((point) => point.value), limit ?? 1);
  const rise = lowest < 0.5 ? 0.2 : lowest < 0.8 ? 0.1 : 0.05;
  // at most one step below the top: a chart of nothing but 100 % also needs a height
  const floor = Math.min(1 - rise, Math.max(0, Math.floor(lowest / rise + 1e-9) * rise));
  const x = (n) => LEFT + (n / most) * (width - LEFT - RIGHT);
  const y = (value) => TOP + ((1 - Math.max(value, floor)) / (1 - floor)) * (HEIGHT - TOP - BOTTOM);
  const svg = makeSvg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": description, class: "chart" });
  for (let value = 1; value > floor - 1e-9; value -= rise) {
    svg.append(
      makeSvg("line", { x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value), class: "grid" }),
      makeSvg("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, percent(value)),
    );
  }
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000].find((each) => most / each <= 6) ?? most;
  for (let n = 0; n <= most; n += step) svg.append(makeSvg("text", { x: x(n), y: HEIGHT - 22, "text-anchor": "middle" }, number(n)));
  svg.append(makeSvg("text", { x: width - RIGHT, y: HEIGHT - 4, "text-anchor": "end" }, "labels"));
  if (limit != null) svg.append(makeSvg("line", { x1: LEFT, x2: width - RIGHT, y1: y(limit), y2: y(limit), class: "limit" }));
  for (const { points: line, isDashed } of series) {
    if (!line.length) continue;
    const path = line.map((point) => `${x(point.n_labels)},${y(point.value)}`).join(" ");
    svg.append(makeSvg("polyline", { points: path, class: isDashed ? "line dashed" : "line" }));
    if (!isDashed) for (const point of line) svg.append(makeSvg("circle", { cx: x(point.n_labels), cy: y(point.value), r: 3, class: "dot" }));
  }
  return svg;
}

function drawInterval({ accuracy, low, high }) {
  const width = isNarrow() ? 300 : 500;
  const x = (value) => 10 + (width - 20) * value;
  const svg = makeSvg("svg", {
    viewBox: `0 0 ${width} 60`, role: "img", class: "interval",
    "aria-label": `Accuracy ${percent(accuracy)}, 95 % interval from ${percent(low)} to ${percent(high)}`,
  });
  svg.append(
    makeSvg("rect", { x: 10, y: 14, width: width - 20, height: 12, rx: 6, class: "track" }),
    makeSvg("rect", { x: x(low), y: 14, width: Math.max(4, x(high) - x(low)), height: 12, rx: 6, class: "range" }),
    makeSvg("circle", { cx: x(accuracy), cy: 20, r: 9, class: "dot big" }),
  );
  for (const value of [0, 0.25, 0.5, 0.75, 1]) {
    const anchor = value === 0 ? "start" : value === 1 ? "end" : "middle";
    svg.append(makeSvg("text", { x: x(value), y: 52, "text-anchor": anchor }, percent(value)));
  }
  return svg;
}

function figure(title, text, svg) {
  return make("figure", { class: "card" }, make("figcaption", {}, make("h2", {}, title), make("p", { class: "soft" }, text)), svg);
}

function showAdvice(advice, counts) {
  const head = !advice ? "There is no advice yet." : advice.stop ? "You may stop." : "Go on.";
  const reasons = advice?.reasons ?? [
    counts.labeled ? "The model is still learning. This page fills in by itself." : "Label some texts first. One in five is a random check, and from these the numbers come.",
  ];
  return make(
    "div",
    { class: `card advice ${advice?.stop ? "stop" : ""}` },
    make("p", { class: "headline" }, head),
    make("ul", {}, ...reasons.map((reason) => make("li", {}, reason))),
  );
}

function showAccuracy(audit, n_undecided, n_differs) {
  const left = n_undecided ? ` ${plural(n_undecided, "random check")} without an answer ${n_undecided === 1 ? "is" : "are"} not counted.` : "";
  if (!audit) return null;
  return make(
    "div",
    { class: "card" },
    make("h2", {}, "How many answers are right?"),
    audit.n < FEW
      ? make("p", { class: "big-number" }, make("strong", {}, `${percent(audit.low)} to ${percent(audit.high)}`), make("span", {}, ` from ${plural(audit.n, "check")}`))
      : make("p", { class: "big-number" }, make("strong", {}, percent(audit.accuracy)), make("span", {}, ` between ${percent(audit.low)} and ${percent(audit.high)}`)),
    drawInterval(audit),
    make("p", { class: "soft" }, `From ${plural(audit.n, "random check")} only: texts that nobody chose. With 95 % certainty the truth is in the bar.${left}`),
    n_differs ? make("p", {}, make("button", { type: "button", onclick: () => review("checks") }, `Look at ${plural(n_differs, "check")} that ${n_differs === 1 ? "differs" : "differ"} from the model`)) : null,
    n_differs ? make("p", { class: "soft" }, "A slip of yours in a check counts as a mistake of the model.") : null,
  );
}

// One line per class: what was labeled, what is found, what is right.
function showClasses(classes) {
  if (!classes.length) return null;
  const line = ({ class_id, n_answered, is_rare, shown }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, visible(classOf(class_id)?.name ?? "?"), is_rare ? make("span", { class: "chip warn" }, "rarely found") : null),
      make("td", {}, shown.labels),
      make("td", {}, number(n_answered)),
      make("td", {}, shown.found, make("span", { class: "soft under" }, shown["found in all texts"])),
      make("td", {}, shown.right, make("span", { class: "soft under" }, shown["right in all texts"])),
      make("td", {}, make("button", { type: "button", "aria-label": `Label more of ${classOf(class_id)?.name}`, onclick: () => labelMore(class_id) }, "Label more")),
    );
  const heads = ["Class", "Labels", "Answered by the model", "Found", "Right", ""];
  return make(
    "div",
    { class: "card" },
    make("h2", {}, "Class by class"),
    make(
      "div",
      { class: "scrolling", tabindex: "0", role: "region", "aria-label": "Class by class" },
      make(
        "table",
        {},
        make("thead", {}, make("tr", {}, ...heads.map((name) => (name ? make("th", { scope: "col" }, name) : make("td", {}))))),
        make("tbody", {}, ...classes.map(line)),
      ),
    ),
    make("p", { class: "soft" }, "“Found”: of the labels of this class, how many a model finds that has not learned them. “Right”: of the labels that this model gives this class, how many are of it. Below, with 95 % certainty, the same for all texts, from random checks only."),
  );
}

function labelMore(id) {
  lookFor(id);
  location.hash = "#label";
}

function showAgreement(agreement, audit) {
  if (!agreement) return null;
  const { overall, by_class, share, n_people } = agreement;
  const alpha = ({ alpha: value, low, high }) => (value == null ? "–" : `${value.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`);
  const line = ([id, each]) => make("tr", {}, make("th", { scope: "row" }, visible(classOf(Number(id))?.name ?? "?")), make("td", {}, alpha(each)));
  const n = current().counts.disagreements;
  return make(
    "div",
    { class: "card" },
    make("h2", {}, "Do you agree with each other?"),
    make("p", { class: "big-number" }, make("strong", {}, percent(share)), make("span", {}, ` of ${plural(overall.n_texts, "text")} that ${n_people > 2 ? "several" : "two"} people labeled`)),
    make("p", {}, `Krippendorff’s alpha, which is 0 for chance and 1 for full agreement: ${alpha(overall)}.`, audit ? " No model can be right more often than the people agree who judge it." : ""),
    make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Class"), make("th", { scope: "col" }, "Alpha"))), make("tbody", {}, ...Object.entries(by_class).map(line))),
    n ? make("p", {}, make("button", { type: "button", onclick: () => review("disagreements") }, `Settle ${plural(n, "disagreement")}`)) : null,
  );
}

function showAutomatic(rows) {
  if (!rows.length) return null;
  const line = ({ target, threshold, n_answered, n_left, n_needed, is_rough }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, percent(target), is_rough ? make("span", { class: "chip" }, "rough") : null),
      make("td", {}, number(n_answered)),
      make("td", {}, number(n_left)),
      make("td", {}, threshold != null ? percent(threshold) : n_needed ? `needs about ${number(n_needed)} checks` : "–"),
    );
  return make(
    "div",
    { class: "card" },
    make("h2", {}, "What can the model answer alone?"),
    make(
      "table",
      {},
      make("thead", {}, make("tr", {}, ...["To be right", "Automatic", "For a person", "Confidence from"].map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...rows.map(line)),
    ),
    make("p", { class: "soft" }, rows.some((row) => row.is_rough) ? "Numbers of texts without a label. “Rough” means: from fewer than 100 random checks." : "Numbers of texts without a label."),
  );
}

function showCharts({ curve, projected, stability }) {
  const charts = [];
  if (curve.length > 1) {
    const last = curve.at(-1);
    const then = projected.at(-1);
    const ahead = then ? ` With ${number(then.n_labels)} labels it may be ${percent(then.value)}.` : "";
    charts.push(
      figure("Accuracy so far", `Measured on the random checks.${ahead ? " Dashed: where it seems to lead." : ""}`, drawChart([{ points: curve }, { points: projected, isDashed: true }], null, `With ${plural(last.n_labels, "label")} the accuracy is ${percent(last.value)}.${ahead}`)),
    );
  }
  if (stability.length) {
    charts.push(
      figure("Do the answers still change?", "How far the answers agree with those some labels before. Three times above the line: they hardly change.", drawChart([{ points: stability }], 0.97, `The last rounds agree by ${percent(stability.at(-1).value)}.`)),
    );
  }
  return sideBySide(...charts);
}

function sideBySide(...parts) {
  const found = parts.filter(Boolean);
  return found.length ? make("div", { class: "charts" }, ...found) : null;
}

let shownFor = "";

async function load() {
  const { model, counts, event } = current();
  shownFor = `${event} ${model.status} ${model.n_labels}`;
  try {
    const { estimate, advice, agreement } = await call("GET", "/api/quality");
    const parts = [showAdvice(advice, counts)];
    if (estimate) parts.push(sideBySide(showAccuracy(estimate.audit, estimate.n_undecided_audit, estimate.n_audit_differs), showAutomatic(estimate.automatic)), showClasses(estimate.classes));
    parts.push(showAgreement(agreement, estimate?.audit));
    if (estimate) parts.push(showCharts(estimate));
    find("quality").replaceChildren(...parts.filter(Boolean));
    complain("");
  } catch (problem) {
    complain(problem.message);
  }
}

export const enterQuality = load;

export function startQuality() {
  let wasNarrow = isNarrow();
  addEventListener("resize", () => {
    if (wasNarrow === isNarrow()) return;
    wasNarrow = isNarrow();
    if (!find("view-quality").hidden) load();
  });
  onState(({ model, event }) => {
    if (!find("view-quality").hidden && `${event} ${model.status} ${model.n_labels}` !== shownFor) load();
  });
}
