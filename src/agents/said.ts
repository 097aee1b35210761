// What is said in a conversation, whichever agent keeps it: what people read, export and search.

export interface Said {
  role: "system" | "user" | "assistant" | "tool";
  atMs: number | null;
  /** Said by a helper of the agent, beside the conversation. */
  isSide: boolean;
  blocks: SaidBlock[];
}

export type SaidBlock =
  | { kind: "text" | "thinking"; text: string }
  /** `input` is what the tool was given: any JSON value. */
  | { kind: "tool_use"; name: string; input: unknown }
  | { kind: "tool_result"; name: string | null; output: string; isError: boolean }
  | { kind: "other"; type: string }
  /** Here stood what is too long to be read, whoever said it. */
  | { kind: "skipped"; sizeBytes: number };

/** The text of a block as it was written, without the keys and numbers around it. */
export function textsIn(block: SaidBlock): string[] {
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

/** Every string in a JSON value, in its order. A value can be nested deeper than a stack of calls. */
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
