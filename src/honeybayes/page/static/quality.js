// The view "Quality": may I stop?

import { call, complain, current, find, make, makeSvg, number, onState, percent, plural } from "./base.js";

const isNarrow = () => innerWidth < 600; // letters in a chart shrink with it
const HEIGHT = 220;
const LEFT = 50;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 42;

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

function showAccuracy(audit, n_undecided) {
  const left = n_undecided ? ` ${plural(n_undecided, "random check")} without an answer ${n_undecided === 1 ? "is" : "are"} not counted.` : "";
  if (!audit) return null;
  return make(
    "div",
    { class: "card" },
    make("h2", {}, "How many answers are right?"),
    make("p", { class: "big-number" }, make("strong", {}, percent(audit.accuracy)), make("span", {}, ` between ${percent(audit.low)} and ${percent(audit.high)}`)),
    drawInterval(audit),
    make("p", { class: "soft" }, `From ${plural(audit.n, "random check")} only: texts that nobody chose. With 95 % certainty the truth is in the bar.${left}`),
  );
}

function showAutomatic(rows) {
  if (!rows.length) return null;
  const line = ({ target, threshold, n_answered, n_left, is_rough }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, percent(target), is_rough ? make("span", { class: "chip" }, "rough") : null),
      make("td", {}, number(n_answered)),
      make("td", {}, number(n_left)),
      make("td", {}, threshold == null ? "–" : percent(threshold)),
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
      figure("Do the answers still change?", "Agreement of successive rounds. Three times above the line at 97 %: they hardly change.", drawChart([{ points: stability }], 0.97, `The last rounds agree by ${percent(stability.at(-1).value)}.`)),
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
    const { estimate, advice } = await call("GET", "/api/quality");
    const parts = [showAdvice(advice, counts)];
    if (estimate) parts.push(sideBySide(showAccuracy(estimate.audit, estimate.n_undecided_audit), showAutomatic(estimate.automatic)), showCharts(estimate));
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
