// What a notification says about one item of the inbox. Pure.

import type { Attention } from "../../src/hive/attention.js";
import { withoutHidden } from "../parts/marks.js";

/** The same item has the same tag, so that it is announced once. */
export function tagOf(item: Attention): string {
  const who = item.agent ?? item.paneId ?? item.who;
  if (item.kind === "request") return item.request.id;
  if (item.kind === "message") return `message ${item.message.id}`;
  return `${item.kind} ${who}`;
}

export function newIn(before: readonly Attention[], now: readonly Attention[]): Attention[] {
  const known = new Set(before.map(tagOf));
  return now.filter((item) => !known.has(tagOf(item)));
}

export function wordsOf(item: Attention): { title: string; body: string; tag: string } {
  return {
    title: withoutHidden(`${item.who} ${verbOf(item)}`),
    body: withoutHidden(bodyOf(item)).slice(0, 200),
    tag: tagOf(item),
  };
}

/** Begins with a verb: "asks to use Bash". */
export function verbOf(item: Attention): string {
  switch (item.kind) {
    case "request":
      if (item.request.questions.length > 0) return "asks you";
      return `asks to use ${item.request.tool}${item.request.subAgent === null ? "" : " for a sub-agent"}`;
    case "dialog":
      return "shows a dialog";
    case "limited":
      return "hit a limit";
    case "error":
      return "failed";
    case "crashed":
      return "crashed";
    case "message":
      return item.message.step === "uncertain" ? "may not have got a message" : "did not get a message";
  }
}

/** In one line: the command, the question, the error. */
export function bodyOf(item: Attention): string {
  switch (item.kind) {
    case "request":
      return item.request.line;
    case "message":
      return item.text ?? item.message.detail;
    default:
      return item.about ?? "";
  }
}
