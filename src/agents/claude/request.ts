// A permission request of the client: read from its hook's input, answered in the form that the client takes, and
// followed in the records of its conversation.
//
// - A request has no id of its own in the hook's input. Its record is a use of the same tool with the same input that had
//   not ended before the hook began.
// - The client records a hook's answer with that record's id. The answer to a sub-agent may leave only the tool's result.

import { isDeepStrictEqual } from "node:util";
import { limits } from "../../limits.js";
import { readSessionId } from "../../names/gates.js";
import type { Asked, Decision, Question, RequestFate, RequestForms } from "../asked.js";
import { type Json, objectOrNull, parseRecord, textOrNull, timeMs, wordsOrNull } from "../record.js";
import { shownTool } from "./shown-tool.js";

export const requests: RequestForms = { read, decisionText, recordFile, fatesIn, pendingIn };

function read(input: Json): Asked | null {
  const tool = wordsOrNull(input.tool_name);
  if (tool === null) return null;
  return {
    ...askedFor(tool, input.tool_input),
    rules: suggestionsOf(input).map(ruleText),
    subAgent: wordsOrNull(input.agent_id),
    session: readSessionId(input.session_id),
  };
}

function askedFor(tool: string, toolInput: unknown): Omit<Asked, "rules" | "subAgent" | "session"> {
  const questions = questionsIn(tool, toolInput);
  const isPlain = !hiding.test(textsIn([tool, toolInput]).join("\n"));
  return { tool, ...shownTool(tool, objectOrNull(toolInput) ?? {}, questions), questions, isPlain };
}

function decisionText(input: Json, decision: Decision): string {
  const output = { hookEventName: "PermissionRequest", decision: decided(input, decision) };
  return JSON.stringify({ hookSpecificOutput: output });
}

function decided(input: Json, decision: Decision): Json {
  switch (decision.kind) {
    case "allow":
      return { behavior: "allow" };
    case "always":
      return { behavior: "allow", updatedPermissions: [suggestionsOf(input)[decision.rule]] };
    case "deny":
      return { behavior: "deny", message: decision.reason };
    case "answers": {
      const questions = questionsIn(textOrNull(input.tool_name) ?? "", input.tool_input);
      const answers = Object.fromEntries(questions.map(({ text }, at) => [text, decision.answers[at] ?? ""]));
      return { behavior: "allow", updatedInput: { ...objectOrNull(input.tool_input), answers } };
    }
  }
}

function questionsIn(tool: string, toolInput: unknown): Question[] {
  if (tool !== "AskUserQuestion") return [];
  return objectsIn(objectOrNull(toolInput)?.questions).flatMap((each) => {
    const text = wordsOrNull(each.question);
    const options = objectsIn(each.options).flatMap(({ label }) => wordsOrNull(label) ?? []);
    return text === null ? [] : [{ text, options, takesSeveral: each.multiSelect === true }];
  });
}

function suggestionsOf(input: Json): Json[] {
  return objectsIn(input.permission_suggestions);
}

/** What the client would allow from then on, and where it keeps that. */
function ruleText(suggestion: Json): string {
  const where = places.get(textOrNull(suggestion.destination) ?? "") ?? String(suggestion.destination);
  switch (suggestion.type) {
    case "addRules": {
      const rules = objectsIn(suggestion.rules).map(({ toolName, ruleContent }) =>
        typeof ruleContent === "string" ? `${toolName}(${ruleContent})` : String(toolName),
      );
      return `${String(suggestion.behavior)} ${rules.join(" and ")} ${where}`;
    }
    case "addDirectories":
      return `allow access to ${listed(suggestion.directories).join(" and ")} ${where}`;
    case "setMode":
      return `switch to the permission mode ${String(suggestion.mode)} ${where}`;
    default:
      return `${JSON.stringify(suggestion)}`;
  }
}

const places: ReadonlyMap<string, string> = new Map([
  ["session", "for this session"],
  ["localSettings", "in .claude/settings.local.json of its folder"],
  ["projectSettings", "in .claude/settings.json of its folder"],
  ["userSettings", "in your own settings, for every folder"],
]);

function recordFile(transcript: string, { subAgent }: Pick<Asked, "subAgent">): string {
  if (subAgent === null || !/^[\w-]{1,64}$/.test(subAgent)) return transcript;
  return `${transcript.replace(/\.jsonl$/, "")}/subagents/agent-${subAgent}.jsonl`;
}

function fatesIn(lines: string, input: Json, askedAtMs: number): ReadonlyMap<string, RequestFate> {
  const records = recordsIn(lines);
  const ends = endsIn(records);
  const decisions = decisionsIn(records);
  const own = usesIn(records).filter(
    ({ id, name, input: its }) =>
      name === input.tool_name &&
      isDeepStrictEqual(essence(its), essence(input.tool_input)) &&
      !((ends.get(id) ?? Number.POSITIVE_INFINITY) < askedAtMs),
  );
  return new Map(own.map(({ id }) => [id, decisions.get(id) ?? (ends.has(id) ? "ended" : "open")]));
}

/** The answers of hooks, by the id of the tool's use. */
function decisionsIn(records: readonly Json[]): ReadonlyMap<unknown, RequestFate> {
  return new Map(
    records.flatMap(({ attachment }) => {
      const { type, toolUseID, decision } = objectOrNull(attachment) ?? {};
      if (type !== "hook_permission_decision") return [];
      return [[toolUseID, decision === "allow" ? "allowed" : "denied"] as const];
    }),
  );
}

/** The client may add what the model left out: false, or an empty list. */
function essence(input: unknown): unknown {
  const members = Object.entries(objectOrNull(input) ?? {}).filter(([, value]) => value !== false);
  return Object.fromEntries(members);
}

function pendingIn(lines: string): Asked[] {
  const records = recordsIn(lines).filter(({ isSidechain }) => isSidechain !== true);
  const ended = endsIn(records);
  const nobody = { rules: [], subAgent: null, session: null };
  return usesIn(records)
    .filter(({ id }) => !ended.has(id))
    .map(({ name, input }) => ({ ...askedFor(name, input), ...nobody }));
}

interface Use {
  id: string;
  name: string;
  input: unknown;
}

function usesIn(records: readonly Json[]): Use[] {
  return blocksIn(records, "assistant").flatMap(({ type, id, name, input }) =>
    type === "tool_use" && typeof id === "string" && typeof name === "string" ? [{ id, name, input }] : [],
  );
}

/** When each tool had its result, by its id. */
function endsIn(records: readonly Json[]): ReadonlyMap<string, number> {
  return new Map(
    records.flatMap((record) =>
      blocksIn([record], "user").flatMap(({ type, tool_use_id }) =>
        type === "tool_result" && typeof tool_use_id === "string"
          ? [[tool_use_id, timeMs(record.timestamp) ?? Number.POSITIVE_INFINITY] as const]
          : [],
      ),
    ),
  );
}

function blocksIn(records: readonly Json[], type: string): Json[] {
  return records
    .filter((each) => each.type === type)
    .flatMap(({ message }) => objectsIn(objectOrNull(message)?.content));
}

function recordsIn(lines: string): Json[] {
  return lines.split("\n").flatMap<Json>((line) => parseRecord(line) ?? []);
}

function objectsIn(value: unknown): Json[] {
  return listed(value).flatMap<Json>((each) => objectOrNull(each) ?? []);
}

function listed(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > limits.toolInputDepth) return [];
  return Object.entries(value).flatMap(([key, each]) => [key, ...textsIn(each, depth + 1)]);
}

/** Control and invisible characters, except line breaks and tabs. */
const hiding = /[^\P{Cc}\n\t]|\p{Cf}|[\u2028\u2029]/u;
