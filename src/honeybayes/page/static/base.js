// What all views share: elements, requests to the program, the state, and messages.

export const find = (id) => document.getElementById(id);

// Make an element. Texts become text nodes, never markup.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

export function makeSvg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Control characters as visible symbols; line breaks and tabs stay.
export function visible(text) {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
    .replace(/[\u007f-\u009f]/g, "\u2421");
}

// A name inside a sentence: Arabic letters must not move the figures beside them.
export const isolated = (text) => make("bdi", {}, visible(text));

export const percent = (value) => `${Math.round(100 * value)}\u00a0%`;
// A model is never quite sure, whatever the rounding says.
export const certainty = (value) => percent(Math.min(value, 0.99));
export const number = (value) => value.toLocaleString("en");
export const plural = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;

// The name of a text: its id in the table, or its number.
export const nameOf = ({ id, row }) => (id ? visible(id) : `Text ${number(row + 1)}`);

// Requests

const bytes = crypto.getRandomValues(new Uint8Array(12));
// A reloaded tab keeps its name, so that it gets its open text again.
const isReload = performance.getEntriesByType("navigation")[0]?.type === "reload";
export const WINDOW =
  (isReload && sessionStorage.getItem("window")) || Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
sessionStorage.setItem("window", WINDOW);

const SILENT =
  "The program does not answer. If it was stopped, start it again with the same command and open the address that it prints. Everything that was confirmed is saved.";

export class Problem extends Error {
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

// The token of the person comes behind the # of the address, which browsers do not send, and is kept
// for this tab only. Other ports of this computer never get it, as they would get a cookie.
let arrived = location.hash.match(/^#token=([\w-]+)$/)?.[1];
let token = sessionStorage.getItem("token") ?? "";
if (arrived) history.replaceState(null, "", location.pathname);

// A token that works once becomes the token of the person.
export async function enter() {
  if (!arrived) return;
  const before = token;
  token = arrived;
  try {
    token = (await call("POST", "/api/enter")).token;
  } catch (problem) {
    token = before; // the address was opened again in the same tab
    if (problem.status !== 401 || !before) throw problem;
  }
  arrived = null;
  sessionStorage.setItem("token", token);
}

async function request(method, url, body) {
  let answer;
  const options = { method, headers: { "X-Honeybayes": token } };
  if (state) options.headers["X-Honeybayes-Project"] = state.key;
  if (body instanceof Blob) {
    options.headers["Content-Type"] = "application/octet-stream";
    options.body = body;
  } else if (body !== undefined || method !== "GET") {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body ?? {});
  }
  try {
    answer = await fetch(url, options);
  } catch {
    throw new Problem(SILENT);
  }
  if (answer.ok) return answer;
  let said = null;
  try {
    said = (await answer.json()).error;
  } catch {
    // not JSON: the number has to do
  }
  throw new Problem(said || `The program refused this (${answer.status}). Please reload the page.`, answer.status);
}

// Send a request; take over the state that comes with the answer.
export async function call(method, url, body) {
  const answer = await (await request(method, url, body)).json();
  if (answer.state) update(answer.state);
  return answer;
}

export async function download(url) {
  return (await request("GET", url)).blob();
}

// The state of the project, as the program last told it

let state = null;
const listeners = [];

export const current = () => state;
export const classOf = (id) => state.classes.find((each) => each.id === id) ?? null;
export const onState = (listener) => listeners.push(listener);

export function update(next) {
  if (state && next.key !== state.key) {
    location.reload(); // another project was opened: nothing of this one may stay
    return;
  }
  if (state && next.event < state.event) return; // an answer that was overtaken
  const before = state;
  state = next;
  for (const listener of listeners) listener(state, before);
}

// Messages

// Say something to people who use a screen reader.
export function say(text) {
  find("said").textContent = text;
}

export function complain(text, where = "trouble") {
  find(where).textContent = text;
  find(where).hidden = !text;
}

let settle = () => {}; // answers the question that was asked last

export function ask(title, text, yes) {
  const dialog = find("confirm-dialog");
  settle(false); // an earlier question is closed, but its event may still be on the way
  find("confirm-title").textContent = title;
  find("confirm-text").textContent = text;
  find("confirm-yes").textContent = yes;
  dialog.returnValue = "no";
  dialog.onclose = () => dialog.open || settle(dialog.returnValue === "yes");
  dialog.showModal();
  return new Promise((resolve) => {
    settle = resolve;
  });
}

// Keys

// After nine digits come the letters that mean nothing else.
export const KEYS = [..."123456789", ..."bdghijklmopqrtvwxy"];

export function wantsKeys(event) {
  const target = event.target;
  if (event.repeat || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return false;
  if (target.closest("textarea, select, [contenteditable]")) return false;
  return !(target.matches("input") && target.type !== "checkbox");
}

export const usesSingleKeys = () => localStorage.getItem("single-keys") !== "no";
