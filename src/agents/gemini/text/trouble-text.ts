// What an error of the client means, from its words. Pure.

import type { SeenActivity } from "../../agent.js";

export interface Trouble {
  activity: Extract<SeenActivity["activity"], "limited" | "error" | "context-low">;
  about: string;
}

export function readTrouble(words: string): Trouble {
  const about = messageIn(words);
  if (/exhausted your .*quota|Usage limit reached|RESOURCE_EXHAUSTED|"code":\s*429|rate limit/i.test(words))
    return { activity: "limited", about };
  if (/exceeds? the (?:remaining )?context window|input token count .*exceeds/i.test(words))
    return { activity: "context-low", about };
  return { activity: "error", about };
}

/** The API's own words, if the client shows its whole answer. The end may be cut off. */
function messageIn(words: string): string {
  const inner = words.replace(/^\[API Error: (.*?)(?:\](?:\s.*)?)?$/s, "$1");
  const message = /"message":\s*"((?:[^"\\]|\\.)*)/.exec(inner)?.[1];
  return (message ?? inner).replace(/\s+/g, " ").trim();
}
