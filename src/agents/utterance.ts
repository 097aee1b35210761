// The contents of a conversation, the same for every agent: what people read, export and search.

export interface Utterance {
  role: "system" | "user" | "assistant" | "tool";
  atMs: number | null;
  /** From a sub-agent, outside the main conversation. */
  isSide: boolean;
  blocks: UtteranceBlock[];
}

export type UtteranceBlock =
  | { kind: "text" | "thinking"; text: string }
  /** `input` is the tool's input: any JSON value. */
  | { kind: "tool_use"; name: string; input: unknown }
  | { kind: "tool_result"; name: string | null; output: string; isError: boolean }
  | { kind: "other"; type: string }
  /** A record too long to read, from any role. */
  | { kind: "skipped"; sizeBytes: number };

/** How the words and the sizes of a conversation are found in its lines. */
export interface SpokenLines {
  readUtterance(line: string): Utterance | null;
  /** Members of a record itself (not of its message) that hold text. */
  textMembers: readonly string[];
  /** Absent if its records have no token counts. */
  addUsage?: (history: UsageHistory, bytes: Buffer, from: number, to: number) => void;
}

/** How the context of a conversation grew. */
export interface UsageHistory {
  points: { atMs: number; used: number }[];
  /** Null for a record without a time. */
  compactedAtMs: (number | null)[];
}

/** The texts of a block, without JSON keys and numbers. */
export function textsIn(block: UtteranceBlock): string[] {
  switch (block.kind) {
    case "text":
    case "thinking":
      return [block.text];
    case "tool_use":
      return leaves(block.input);
    case "tool_result":
      return [block.output];
    case "other":
    case "skipped":
      return [];
  }
}

/** Every string in a JSON value, in order. Not recursive: a value can be nested deeper than the call stack. */
function leaves(value: unknown): string[] {
  const found: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") found.push(next);
    else if (typeof next === "object" && next !== null) open.push(...Object.values(next).reverse());
  }
  return found;
}
