// What a kind cannot do in its pane: every command that is asked for it prints the sentence and the hint of the kind,
// ends with 1, and types nothing.

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Ability, has } from "../../src/agents/abilities.js";
import { agents } from "../../src/agents/all.js";
import type { Kind } from "../../src/names/kind.js";
import { hivemind, json } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";

/** Each command that needs the ability; `PANE` is a pane with an agent of the kind. */
const asking: Partial<Record<Ability, string[]>> = {
  fork: ["agent fork PANE --as second"],
  message: ["send PANE words", "queue append PANE words"],
  decide: [
    "approve PANE",
    "approve PANE --always",
    "reject PANE",
    "reject PANE not so",
    "answer PANE 1",
    "answer PANE words",
    "option PANE 2",
    "dismiss PANE",
    "queue append PANE --intent remote-control:BTab why",
  ],
  probe: ["sessions probe PANE"],
};

/** A program that is known as one of this kind, and shows every key it gets. */
function programOf(kind: Kind, { root }: TestHome): string {
  const bin = join(root, "bin");
  mkdirSync(bin);
  const path = join(bin, kind);
  if (kind !== "gemini") {
    symlinkSync("/bin/cat", path);
    return path;
  }
  writeFileSync(path, "process.stdin.pipe(process.stdout)");
  return `${process.execPath} ${path}`;
}

const cases = agents.flatMap(({ kind, lacks, ...agent }) =>
  Object.entries(asking).flatMap(([ability, commands]) =>
    has[ability as Ability]({ kind, lacks, ...agent })
      ? []
      : commands.map((command) => ({ kind, command, lack: lacks[ability as Ability]! })),
  ),
);

test.each(cases)("$kind: $command is refused in words", async ({ kind, command, lack }) => {
  const home = testHome();
  home.tmux("new-session", "-d", "-x", "120", "-y", "40", "-s", "shop", programOf(kind, home));
  const pane = home.tmux("display-message", "-p", "-t", "shop", "#{pane_id}").trim();
  await until(`an agent of the kind ${kind}`, () =>
    JSON.stringify(json(home, ["status"])).includes(`"kind":"${kind}"`),
  );
  const { code, stdout, stderr } = hivemind(home, command.replace("PANE", pane).split(" "));
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(`hivemind: ${lack.why}\n  ${lack.hint}\n`);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(home.tmux("capture-pane", "-p", "-t", pane).trim()).toBe("");
});
