// What a tool was asked for, in one line, and its input as lines. Pure.

/** The members that say most about a tool's input, the most telling first. */
const telling = [
  "command",
  "file_path",
  "notebook_path",
  "path",
  "pattern",
  "query",
  "url",
  "skill",
  "description",
  "prompt",
  "text",
];

export function toolLine(input: unknown): string {
  if (typeof input === "string") return firstLine(input);
  if (!isRecord(input)) return input === null ? "" : firstLine(JSON.stringify(input));
  const key = telling.find((each) => typeof input[each] === "string" && input[each] !== "");
  if (key !== undefined) return firstLine(input[key] as string);
  const values = Object.values(input);
  const [only] = values.filter((value) => typeof value === "string");
  return firstLine(only === undefined ? (values.length === 0 ? "" : JSON.stringify(input)) : String(only));
}

/** Each member of the input: texts as they are, everything else as JSON. */
export function toolParts(input: unknown): { name: string; lines: string[] }[] {
  const linesOf = (value: unknown) =>
    (typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "")).split("\n");
  if (!isRecord(input)) return input === null ? [] : [{ name: "input", lines: linesOf(input) }];
  return Object.entries(input).map(([name, value]) => ({ name, lines: linesOf(value) }));
}

export function firstLine(text: string): string {
  const line = text.split("\n").find((each) => each.trim() !== "") ?? "";
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
