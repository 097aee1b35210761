// Numbers, ids and JSON-escaped text from a seed, for the corpus.

/** Between 0 and 1. */
export type Random = () => number;

/** mulberry32: small, and the same everywhere. */
export function randomNumbers(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function uuid(random: Random): string {
  const part = () =>
    Math.floor(random() * 0x100000000)
      .toString(16)
      .padStart(8, "0");
  const hex = `${part()}${part()}${part()}${part()}`;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Most are short, some are long. */
export function lengthOf(random: Random, mean: number): number {
  return Math.floor(mean * -Math.log(1 - random() * 0.999));
}

export type Text = (length: number) => string;

/** Source code and prose of about a given length, cut from one long piece without splitting an escape. */
export function makeProse(random: Random): Text {
  const words =
    "the agent reads const value = 17 function returns error window pane session index of file with".split(
      " ",
    );
  const decoys = [
    '{"type":"custom-title","customTitle":"typed by a person"}',
    '{"type":"assistant","isSidechain":false,"message":{"usage":{"input_tokens":900000}}}',
    '{"parentUuid":null,"uuid":"00000000-0000-4000-8000-000000000000","isMeta":true}',
    "<command-name>/clear</command-name>",
    'console.log("two \\\\ slashes");\n',
    'import { name } from "./file.js";\n\n',
    "日本語 ✳ text\t",
  ];
  const cuts = [0];
  let text = "";
  while (text.length < 400_000) {
    const sentence = Array.from({ length: 12 }, () => words[Math.floor(random() * words.length)]).join(" ");
    const more = random() < 0.2 ? decoys[Math.floor(random() * decoys.length)]! : ".\n  ";
    text += JSON.stringify(`${sentence}${more}`).slice(1, -1);
    cuts.push(text.length);
  }
  const meanCut = text.length / (cuts.length - 1);
  return (length) => {
    const count = Math.max(1, Math.round(length / meanCut));
    const from = Math.floor(random() * Math.max(1, cuts.length - 1 - count));
    return text.slice(cuts[from], cuts[Math.min(from + count, cuts.length - 1)]);
  };
}

/** The bytes of a picture: one long word without a quote. */
export function makePictures(random: Random): Text {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, () => Math.floor(random() * 256)));
  const text = bytes.toString("base64");
  return (length) => {
    const from = Math.floor(random() * (text.length / 2));
    return text.repeat(Math.ceil((from + length) / text.length)).slice(from, from + length);
  };
}
