// What a kind cannot do with its conversations: every command that is asked for it prints the sentence and the hint of
// the kind, ends with 1, and changes nothing.

import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Ability, has } from "../../src/agents/abilities.js";
import { agents } from "../../src/agents/all.js";
import type { Kind } from "../../src/names/kind.js";
import { hivemind } from "../command.js";
import { contentsOf } from "../contents.js";
import { type TestHome, testHome } from "../home.js";
import { recordedDatabase } from "../kinds/opencode/recorded.js";

/** Each command that needs the ability; `ID` is a conversation of the kind. */
const asking: Partial<Record<Ability, string[]>> = {
  copy: ["sessions fork ID --all"],
  archive: ["sessions keep ID --all", "sessions rm ID --yes --all"],
  rebind: ["sessions rebind ID"],
};

interface Recorded {
  id: string;
  folder: string;
  env: Record<string, string>;
}

const recorded = (path: string) => new URL(`../kinds/${path}`, import.meta.url);

/** One conversation of the real program, as it was recorded. */
const recordings: Partial<Record<Kind, (home: TestHome) => Recorded>> = {
  codex: ({ root, work }) => {
    const folder = join(root, "codex");
    const day = join(folder, "sessions/2026/11/18");
    mkdirSync(day, { recursive: true });
    const id = "01a1ed6e-0553-7f82-bb3b-0e587bdb8e9c";
    const text = readFileSync(recorded("codex/rollouts/talk.jsonl"), "utf8");
    const here = text.replaceAll("/home/somebody/w", realpathSync(work));
    writeFileSync(join(day, `rollout-2026-11-18T06-52-52-${id}.jsonl`), here);
    return { id, folder, env: { CODEX_HOME: folder } };
  },
  gemini: ({ home, work }) => {
    const folder = join(home, ".gemini");
    const chats = join(folder, "tmp", "work", "chats");
    mkdirSync(chats, { recursive: true });
    writeFileSync(join(folder, "tmp", "work", ".project_root"), realpathSync(work));
    const id = "3a80399d-394c-4fef-b80d-87d3be121da2";
    cpSync(recorded("gemini/session.jsonl"), join(chats, `session-2026-11-18T07-03-${id.slice(0, 8)}.jsonl`));
    return { id, folder, env: {} };
  },
  opencode: ({ home, work }) => {
    const folder = join(home, ".local/share/opencode");
    recordedDatabase(folder, realpathSync(work));
    return { id: "ses_e1135eb14ffeq5wrzXVqMDsmEQ", folder, env: {} };
  },
};

const cases = agents.flatMap((agent) =>
  Object.entries(asking).flatMap(([ability, commands]) =>
    has[ability as Ability](agent)
      ? []
      : commands.map((command) => ({ kind: agent.kind, command, lack: agent.lacks[ability as Ability]! })),
  ),
);

test.each(cases)("$kind: $command is refused in words", ({ kind, command, lack }) => {
  const home = testHome();
  const record = recordings[kind];
  if (record === undefined) throw new Error(`this file has no recorded conversation of ${kind}`);
  const { id, folder, env } = record(home);
  const other = join(home.root, "other");
  mkdirSync(other);
  const before = contentsOf(folder);
  const args = command.replace("ID", id).split(" ");
  const cwd = command.includes("rebind") ? other : home.work;
  const { code, stdout, stderr } = hivemind(home, args, { env, cwd });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(`hivemind: ${lack.why}\n  ${lack.hint}\n`);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(contentsOf(folder)).toEqual(before);
});
