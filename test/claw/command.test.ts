// claw's sessions in the command: the boundary between clones, the order, and running claws.

import { execFileSync } from "node:child_process";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { hivemind, json } from "../command.js";
import { contentsOf } from "../contents.js";
import { until } from "../home.js";
import { clawHome, meta, said, write } from "./stores.js";

let home: ReturnType<typeof clawHome>;
let clone: string;
let other: string;
beforeEach(() => {
  home = clawHome();
  [clone, other] = [home.folder("work"), home.folder("other")];
});
const sessions = (...args: string[]) => hivemind(home, ["sessions", ...args], { cwd: clone });

describe.each([["show"], ["fork"], ["export"], ["rm", "--yes"], ["rebind", "--yes"]])(
  "sessions %s",
  (...words) => {
    test.each([
      ["flat", "legacy.jsonl"],
      ["flat, of the older form", "legacy.json"],
      ["in another partition", "0123456789abcdef/legacy.jsonl"],
    ])("a file of another clone, %s: a mismatch that names both folders", (_, name) => {
      const older = { version: 1, workspace_root: other, messages: [said("hi").message] };
      const path = join(home.open(clone).legacyRoot, name);
      if (name.endsWith(".json")) write(path, older);
      else write(path, meta("legacy", { workspace_root: other }), said("hi"));
      const before = contentsOf(clone);
      const { code, stdout, stderr } = sessions(...words, "legacy");
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      // `rebind` handles such files: its refusal says what to add.
      if (words[0] !== "rebind") expect(stderr).toContain(`session legacy belongs to ${other} (`);
      expect(stderr).toContain(other);
      expect(stderr).toContain("sessions rebind legacy --copy");
      expect(contentsOf(clone)).toEqual(before);
    });

    test.each(["session-1794722529082-0", "my-notes"])(
      "no session %s: the error has the folder, and how many are hidden",
      (ref) => {
        const { partition, legacyRoot } = home.open(clone);
        for (const id of ["one", "two"])
          write(join(legacyRoot, `${id}.jsonl`), meta(id, { workspace_root: other }), said("hi"));
        const { code, stdout, stderr } = sessions(...words, ref);
        expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
        expect(stderr).toContain(`matches "${ref}"`);
        expect(stderr).not.toContain("no agent has the role");
        if (words[0] === "rebind") return;
        expect(stderr).toContain(partition);
        expect(stderr).toContain("hidden here; there are 2:");
      },
    );
  },
);

test.each(["show", "export", "fork"])(
  "sessions %s --file with another clone's session is a mismatch too",
  (word) => {
    const path = write(
      join(home.open(other).partition, "far.jsonl"),
      meta("far", { workspace_root: other }),
      said("hi"),
    );
    const { code, stderr } = sessions(word, "--file", path);
    expect(code).toBe(1);
    expect(stderr).toContain(`session far belongs to ${other} (`);
    expect(stderr).toContain(`this is ${clone} (`);
  },
);

test("latest may be in any letter case, and the library and the command have the same order", () => {
  const { partition, list, load } = home.open(clone);
  const at = (id: string, updatedMs: number, fileSeconds: number) => {
    const path = write(join(partition, `${id}.jsonl`), meta(id, { updated_at_ms: updatedMs }), said(id));
    utimesSync(path, fileSeconds, fileSeconds);
  };
  at("session-1-0", 9_000_000, 5);
  at("session-2-0", 9_000_000, 5);
  at("session-3-0", 9_000_000, 6);
  at("session-4-0", 8_000_000, 5);
  at("session-0-0", 9_500_000, 5);
  const order = ["session-0-0", "session-3-0", "session-2-0", "session-1-0", "session-4-0"];
  expect(list().sessions.map(({ id }) => id)).toEqual(order);
  const { sessions: rows } = json<{ sessions: { id: string }[] }>(home, ["sessions"]);
  expect(rows.map(({ id }) => id)).toEqual(order);
  for (const word of ["latest", "LATEST", "Last", "RECENT"]) {
    expect(load(word).summary.id).toBe("session-0-0");
    expect(sessions("show", word).stdout).toContain("session-0-0");
  }
});

test("claw's own files do not make a clone dirty", () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      cwd: clone,
      env: home.env,
    });
  git("init", "--quiet");
  git("commit", "--quiet", "--allow-empty", "-m", "first");
  write(join(home.open(clone).partition, "s.jsonl"), meta("s", { workspace_root: clone }), said("hi"));
  const look = () =>
    json<{ sessions: { worktree: { changedFiles: number } }[] }>(home, ["sessions"]).sessions[0]!;
  expect(look().worktree.changedFiles).toBe(0);
  expect(sessions().stdout).not.toContain("dirty");
  writeFileSync(join(clone, "mine"), "x");
  expect(look().worktree.changedFiles).toBe(1);
  expect(sessions().stdout).toContain("dirty 1");
});

/** Like claw: creates a session at its start, and writes it at once. */
const standIn = `#!/bin/sh
ms=$(date +%s%3N)
mkdir -p "$CLAW_PARTITION"
printf '{"type":"session_meta","version":1,"session_id":"session-%s-0","created_at_ms":%s,"updated_at_ms":%s}\\n' \\
  "$ms" "$ms" "$ms" >"$CLAW_PARTITION/session-$ms-0.jsonl"
cat
`;

describe("a claw in a pane", () => {
  type Agent = { kind: string; uuid: string | null; state: string };
  const claw = (script: string, ...args: string[]) => {
    const program = join(home.folder("bin"), "claw");
    writeFileSync(program, script, { mode: 0o755 });
    const partition = `CLAW_PARTITION=${home.open(clone).partition}`;
    home.tmux("new-session", "-d", "-s", "web", "-c", clone, "-e", partition, program, ...args);
  };
  const agent = () => json<{ teams: { agents: Agent[] }[] }>(home, ["status"]).teams[0]!.agents[0]!;

  test("has the session it was started with, in status and in the list", async () => {
    write(join(home.open(clone).partition, "session-5-0.jsonl"), meta("session-5-0"), said("hi"));
    claw("#!/bin/sh\ncat\n", "--resume", "session-5-0");
    const seen = await until("claw", () => (agent().kind === "claw" ? agent() : null));
    expect(seen).toMatchObject({ uuid: "session-5-0", state: "live" });
    expect(hivemind(home, ["status"]).stdout).toContain("session-5-0");
    expect(sessions().stdout).toMatch(/session-5-0 +claw +running web:0.0/);
    expect(sessions("show", "web:0.0").stdout).toContain("session-5-0");
  });

  test("has the session that it created at its start", async () => {
    write(join(home.open(clone).partition, "session-5-0.jsonl"), meta("session-5-0"), said("hi"));
    utimesSync(join(home.open(clone).partition, "session-5-0.jsonl"), 5, 5);
    claw(standIn);
    const made = await until("its session", () => agent().uuid);
    expect(made).toMatch(/^session-\d{13}-0$/);
    expect(agent()).toMatchObject({ kind: "claw", uuid: made, state: "live" });
    expect(sessions("show", "web:0.0").stdout).toContain(made);
    // Another session that was written later may be the current one.
    write(
      join(home.open(clone).partition, "later.jsonl"),
      meta("later", { updated_at_ms: Date.now() + 5_000 }),
      said("hi"),
    );
    expect(agent()).toMatchObject({ kind: "claw", uuid: null, state: "unknown" });
  });
});
