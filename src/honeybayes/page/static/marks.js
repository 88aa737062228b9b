// Marks: the words of a text that speak for its suggestion.

import { make } from "./base.js";

const FAINT = 0.15; // of the most that a word may count; what speaks less for the class is not marked
// A word, or in scripts without spaces (as NO_SPACES in the package) a character with its marks;
// narrow katakana may have its voice mark behind it
const NO_SPACES = "[\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Myanmar}\\p{sc=Khmer}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Han}ー]";
const WORD = new RegExp(`${NO_SPACES}[\\p{M}\uff9e\uff9f]*|(?:(?!${NO_SPACES})[\\p{L}\\p{M}])+`, "gu");
// Thai and Lao AM after its consonant, a consonant below another one in Burmese and Khmer
const JOINED = /[\u1039\u17d2].$|.[\u0e33\u0eb3]$/u;
const CHARACTER = new RegExp(`^${NO_SPACES}`, "u");

// A word as the program spells it: lower case, composed, katakana and Latin letters of usual width.
function plain(word) {
  return word.normalize("NFC").replace(/[\uff01-\uff9f]+/g, (run) => run.normalize("NFKC")).toLowerCase();
}

// Split a text into strings and marked words; a mark is as strong as its word, compared with the most
// that a word may count. Marks that touch are one.
export function highlight(text, words, most) {
  if (!words.size) return [text];
  const leadOf = (word) => words.get(word.toLowerCase()) ?? words.get(plain(word)) ?? 0;
  const found = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word, index, end: index + word.length, lead: leadOf(word) }));
  for (let i = 1; i < found.length; i++) {
    const both = [found[i - 1], found[i]];
    const isPair = both[0].end === both[1].index && both.every(({ word }) => CHARACTER.test(word));
    if (isPair) for (const each of both) each.lead = Math.max(each.lead, leadOf(both[0].word + both[1].word));
  }
  const drawn = []; // a mark must not tear what is drawn as one
  for (const each of found) {
    const last = drawn.at(-1);
    const isJoined = last?.end === each.index && JOINED.test(text.slice(each.index - 1, each.index + 1));
    if (isJoined) Object.assign(last, { end: each.end, lead: Math.max(last.lead, each.lead) });
    else drawn.push(each);
  }
  const parts = [];
  let end = 0;
  for (let i = 0; i < drawn.length; i++) {
    if (drawn[i].lead < FAINT * most) continue;
    const start = drawn[i].index;
    let { lead } = drawn[i];
    while (drawn[i + 1]?.lead >= FAINT * most && drawn[i].end === drawn[i + 1].index) lead = Math.max(lead, drawn[++i].lead);
    const strength = lead > 0.6 * most ? "strong" : lead > 0.3 * most ? "middle" : "weak";
    parts.push(text.slice(end, start), make("mark", { class: strength }, text.slice(start, drawn[i].end)));
    end = drawn[i].end;
  }
  return [...parts, text.slice(end)];
}
