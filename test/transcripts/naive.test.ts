import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { plainFacts } from "../../src/transcripts/columns.js";
import { type Index, openIndex } from "../../src/transcripts/index.js";
import { makeHome, removeHome } from "../home.js";
import { idOf, rootIn, settled, transcriptPath, writeTranscript } from "./files.js";
import { readNaively } from "./naive.js";

type Json = Record<string, unknown>;

const decoy = fc.constantFrom(
  '{"type":"custom-title","customTitle":"decoy"}',
  '"},"type":"assistant","isSidechain":false,"message":{"usage":{"input_tokens":999999}},"x":"',
  '{"type":"system","subtype":"compact_boundary","uuid":"decoy"}',
  '\n{"type":"user","forkedFrom":{"sessionId":"x"},"session_id":"y"}\n',
  "plain words \\ ✳ 日本",
  "<command-name>/clear</command-name>",
  "<local-command-stdout>Set model to Opus 4.8 (1M context) and saved as your default</local-command-stdout>",
  "<local-command-stdout>Set model to Haiku 4.5</local-command-stdout>",
);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
const sessionId = fc.integer({ min: 1, max: 3 }).map(idOf);
const tokens = fc.integer({ min: 0, max: 300_000 });

const usage = fc.record(
  {
    input_tokens: tokens,
    cache_creation_input_tokens: tokens,
    cache_read_input_tokens: tokens,
    output_tokens: tokens,
  },
  { requiredKeys: [] },
);
const nested = fc.constantFrom<Json>(
  { type: "custom-title", customTitle: "nested" },
  { type: "user", usage: { input_tokens: 999_999, cache_read_input_tokens: 1 } },
  { iterations: [{ input_tokens: 400_000 }], long: "z".repeat(300) },
);
const message = fc.record(
  {
    uuid: fc.uuid(),
    parentUuid: fc.constant(null),
    cwd: fc.constantFrom("/a", "/b/日本", '/c "quoted"'),
    gitBranch: fc.constantFrom("main", "next"),
    version: fc.constantFrom("2.1.0", "2.2.0"),
    timestamp: fc.integer({ min: 0, max: 1e9 }).map((s) => new Date(1.7e12 + s).toISOString()),
    session_id: optional(sessionId),
    isSidechain: fc.boolean(),
    requestedModel: optional(fc.constantFrom("one[1m]", "two")),
    isMeta: fc.boolean(),
    toolUseResult: optional(fc.oneof(nested, decoy)),
  },
  { requiredKeys: [] },
);
const content = fc.record({ role: fc.constant("user"), content: decoy });
const answer = fc.record(
  {
    model: fc.constantFrom("one", "two", "<synthetic>"),
    content: fc.array(fc.oneof(decoy, nested), { maxLength: 2 }),
    usage,
  },
  { requiredKeys: ["content"] },
);
const copied = fc.record({ sessionId, messageUuid: fc.uuid() });
const record: fc.Arbitrary<Json> = fc.oneof(
  fc.record({ type: fc.constant("custom-title"), customTitle: fc.oneof(fc.string(), decoy) }),
  fc.tuple(message, content).map(([base, said]) => ({ ...base, type: "user", message: said })),
  fc.tuple(message, answer).map(([base, said]) => ({ ...base, type: "assistant", message: said })),
  fc.tuple(message, copied).map(([base, forkedFrom]) => ({ ...base, type: "user", message: {}, forkedFrom })),
  message.map((base) => ({ ...base, type: "system" })),
  fc
    .tuple(
      message,
      fc.constantFrom("compact_boundary", "microcompact_boundary"),
      fc.constantFrom("system", "user"),
    )
    .map(([base, subtype, type]) => ({ ...base, type, subtype, message: {} })),
  message.map((base) => ({ ...base, type: "progress" })),
);
/** Any key order, any white space. */
const line = fc
  .tuple(record, fc.infiniteStream(fc.nat()), fc.constantFrom(0, 0, 1))
  .map(([json, order, indent]) => {
    const keys = Object.keys(json).map((key) => ({ key, at: order.next().value as number }));
    const shuffled = keys.sort((a, b) => a.at - b.at).map(({ key }) => [key, json[key]]);
    return JSON.stringify(Object.fromEntries(shuffled), null, indent).replaceAll("\n", " ");
  });

const file = fc.integer({ min: 1, max: 3 });
const lines = fc.array(line, { maxLength: 5 });
const part = fc.double({ min: 0, max: 1, noNaN: true });
const step = fc.oneof(
  fc.record({ do: fc.constant("write" as const), file, lines }),
  fc.record({ do: fc.constant("append" as const), file, lines }),
  fc.record({ do: fc.constant("append" as const), file, lines }),
  fc.record({ do: fc.constant("tear" as const), file, line, part }),
  fc.record({ do: fc.constant("finish" as const), file }),
  fc.record({ do: fc.constant("truncate" as const), file, part }),
  fc.record({ do: fc.constant("replace" as const), file, lines }),
  fc.record({ do: fc.constant("scribble" as const), file, part }),
  fc.record({ do: fc.constant("rename" as const), file, to: file }),
  fc.record({ do: fc.constant("delete" as const), file }),
  fc.record({ do: fc.constant("rest" as const), file }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function take(move: Step, pathOf: (n: number) => string, torn: Map<string, string>): Promise<void> {
  const path = pathOf(move.file);
  const joined = (all: string[]) => all.map((each) => `${each}\n`).join("");
  if (move.do === "write") writeTranscript(path, ...move.lines);
  if (!existsSync(path)) return;
  const size = statSync(path).size;
  switch (move.do) {
    case "append":
      return appendFileSync(path, joined(move.lines));
    case "tear": {
      const cut = Math.floor(move.line.length * move.part);
      torn.set(path, move.line.slice(cut));
      return appendFileSync(path, move.line.slice(0, cut));
    }
    case "finish":
      return appendFileSync(path, `${torn.get(path) ?? ""}\n`);
    case "truncate":
      return truncateSync(path, Math.floor(size * move.part));
    case "replace":
      writeFileSync(`${path}.new`, joined(move.lines));
      return renameSync(`${path}.new`, path);
    case "scribble": {
      const bytes = readFileSync(path);
      if (size > 0) bytes[Math.floor(move.part * (size - 1))]! ^= 1;
      return writeFileSync(path, bytes);
    }
    case "rename":
      return renameSync(path, pathOf(move.to));
    case "delete":
      return rmSync(path);
    case "rest":
      return settled(path);
  }
}

function compare(index: Index): void {
  expect(index.problems).toEqual([]);
  for (const { path, facts } of index.transcripts) {
    const { isCopying: _, ...found } = plainFacts(facts);
    const naive = readNaively(path);
    const uncounted = naive.isClean ? {} : { messages: found.messages, startedAs: found.startedAs };
    expect(found).toEqual({ ...naive.facts, ...uncounted });
  }
}

test("after every step the index equals what a naive reader finds", async () => {
  const run = async (steps: Step[]) => {
    const { claude, root, ...rest } = makeHome();
    try {
      const pathOf = (n: number) => transcriptPath(claude, idOf(n));
      const options = {
        roots: [rootIn(claude)],
        cacheDir: join(root, "cache"),
        saveAfterBytes: 0,
      };
      const kept = openIndex(options);
      const torn = new Map<string, string>();
      for (const move of steps) {
        await take(move, pathOf, torn);
        const live = [1, 2, 3].filter((n) => existsSync(pathOf(n)));
        for (const index of [await openIndex(options).refresh(), await kept.refresh()]) {
          expect(index.transcripts.map(({ id }) => id).sort()).toEqual(live.map(idOf));
          compare(index);
        }
      }
    } finally {
      removeHome({ claude, root, ...rest });
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), run), { numRuns: 60 });
});
