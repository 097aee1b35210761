// The context and the model of a conversation, from its lines.

import { describe, expect, test } from "vitest";
import { type Facts, noFacts } from "../../../transcripts/transcript.js";
import { claudeLines } from "./lines.js";

type Json = Record<string, unknown>;

let made = 0;

function message(): Json {
  made++;
  const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, made)).toISOString();
  return { isSidechain: false, cwd: "/w", uuid: `m${made}`, timestamp };
}

function user(more: Json = {}): Json {
  return { ...message(), type: "user", message: { role: "user", content: "hello" }, ...more };
}

function assistant(tokens: number, more: Json = {}, usage: Json = {}): Json {
  const used = { input_tokens: tokens, ...usage };
  return {
    ...message(),
    message: { model: "claude-x", content: [], usage: used },
    type: "assistant",
    ...more,
  };
}

/** Adds the lines in one call, and one by one: the facts must be the same. */
function factsOf(...records: Json[]): Facts {
  const texts = records.map((record) => Buffer.from(`${JSON.stringify(record)}\n`));
  const [whole, piecemeal] = [noFacts(), noFacts()];
  const bytes = Buffer.concat(texts);
  claudeLines.addFacts(whole, bytes, 0, bytes.length);
  for (const text of texts) claudeLines.addFacts(piecemeal, text, 0, text.length);
  expect(piecemeal).toEqual(whole);
  return whole;
}

describe("context in use", () => {
  test.each<[string, Json]>([
    ["of a sub-agent in the main file", assistant(900, { isSidechain: false, agentId: "a34736151d0b48702" })],
    [
      "of a copy with every count at zero",
      assistant(10, {}, { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }),
    ],
  ])("does not come from the record %s", (_, record) => {
    const facts = factsOf(assistant(100), record, assistant(80));
    expect(facts).toMatchObject({ usedTokens: 80, largestTokens: 100, model: "claude-x" });
    expect(factsOf(assistant(100), record)).toMatchObject({ usedTokens: 100, largestTokens: 100 });
  });

  test("is that of the last of several rounds", () => {
    const iterations = [{ input_tokens: 100 }, { input_tokens: 400, cache_read_input_tokens: 7 }];
    const facts = factsOf(assistant(510, {}, { iterations }));
    expect(facts).toMatchObject({ usedTokens: 407, largestTokens: 407 });
  });

  const compacted = () => ({ ...message(), type: "system", subtype: "compact_boundary" });

  test.each<[string, Json[], number | null]>([
    ["unknown after a compaction", [assistant(500), compacted(), user()], null],
    ["unknown after a second compaction", [assistant(500), compacted(), assistant(60), compacted()], null],
    ["known with the next answer", [assistant(500), compacted(), user(), assistant(60)], 60],
    ["unknown without any answer", [compacted(), user()], null],
    [
      "unknown if only earlier answers are copied after it",
      [
        compacted(),
        assistant(10, {}, { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }),
      ],
      null,
    ],
    [
      "known after an error follows it",
      [compacted(), assistant(60), user(), assistant(9, { message: { model: "<synthetic>", usage: {} } })],
      60,
    ],
  ])("is %s", (_, records, usedTokens) => {
    const facts = factsOf(...records);
    expect(facts).toMatchObject({ usedTokens, isCompacted: usedTokens === null });
    if (usedTokens === null) expect(facts.usedAtMs).toBeNull();
  });

  test("keeps its model through a compaction", () => {
    const facts = factsOf(assistant(500, { requestedModel: "claude-x[1m]" }), compacted());
    expect(facts).toMatchObject({ model: "claude-x", askedModel: "claude-x[1m]", largestTokens: 500 });
    expect(factsOf(assistant(500, { requestedModel: "claude-x[1m]" }), assistant(7)).askedModel).toBeNull();
  });

  const printed = (content: unknown, at = "2026-02-01T00:00:00Z") =>
    user({ message: { role: "user", content }, timestamp: at });
  const chosen = (model: string) =>
    printed(`<local-command-stdout>Set model to ${model} and saved as your default</local-command-stdout>`);

  test.each<[string, Json[], string | null]>([
    ["nothing", [user()], null],
    [
      "a model that older clients print bold",
      [chosen("\u001b[1mSonnet 4.6 (1M context)\u001b[22m")],
      "Sonnet 4.6 (1M context)",
    ],
    ["an unknown model", [chosen("claude-nova-7[1m]")], "claude-nova-7[1m]"],
    ["the last choice", [chosen("Opus 4.8 (1M context)"), assistant(50), chosen("`Haiku 4.5`")], "Haiku 4.5"],
    [
      "a choice for this session only",
      [
        printed(
          "<local-command-stdout>Set model to `Opus 4.6` for this session only with high effort</local-command-stdout>",
        ),
      ],
      "Opus 4.6",
    ],
    [
      "nothing if the model was kept",
      [printed("<local-command-stdout>Kept model as Opus</local-command-stdout>")],
      null,
    ],
    ["nothing if its output is quoted", [printed('I saw "<local-command-stdout>Set model to Opus"')], null],
  ])("/model names %s", (_, records, shown) => {
    const expected = shown === null ? null : { shown, atMs: Date.UTC(2026, 1, 1) };
    expect(factsOf(...records).modelChoice).toEqual(expected);
  });
});
