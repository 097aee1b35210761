// Rollouts in the index of all conversations.

import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openIndex } from "../../transcripts/index.js";
import { codexTranscripts } from "./find.js";

const [own, child] = ["01a1ed6e-0553-7f82-bb3b-0e587bdb8e9c", "01a1ed6e-0554-7f82-bb3b-0e587bdb8e9c"];

test("names come from outside the files and are never cached; a sub-agent's file is no session", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hm-codex-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const day = join(folder, "sessions/2026/11/18");
  mkdirSync(day, { recursive: true });
  const write = (id: string, source: unknown) => {
    const meta = {
      type: "session_meta",
      payload: { id, source, cwd: "/srv", timestamp: "2026-11-18T06:52:52Z" },
    };
    writeFileSync(join(day, `rollout-2026-11-18T06-52-52-${id}.jsonl`), `${JSON.stringify(meta)}\n`);
  };
  write(own, "cli");
  write(child, { subagent: { thread_spawn: { parent_thread_id: own } } });
  const rename = (name: string) =>
    appendFileSync(
      join(folder, "session_index.jsonl"),
      `${JSON.stringify({ id: own, thread_name: name })}\n`,
    );
  const look = async () => {
    const roots = [{ folder, format: codexTranscripts }];
    const index = openIndex({ roots, cacheDir: join(folder, "cache"), saveAfterBytes: 0 });
    return (await index.refresh()).transcripts.map(({ id, facts }) => [id, facts.title, facts.firstCwd]);
  };
  rename("po");
  expect(await look()).toEqual([[own, "po", "/srv"]]);
  rename("lead");
  expect(await look()).toEqual([[own, "lead", "/srv"]]);
});
