import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deriveSessionId } from "../../src/names/session-id.js";
import { hivemind, json } from "../command.js";
import { contentsOf } from "../contents.js";
import { type TestHome, testHome, until } from "../home.js";

interface Row {
  role: string | null;
  pane: string;
  kind: string;
  uuid: string | null;
  pid: number | null;
}

/** A team that no file started: two agents, of which `lead` has a conversation, and a named shell. */
function running(): { home: TestHome; run: (...args: string[]) => ReturnType<typeof hivemind> } {
  const home = testHome();
  const run = (...args: string[]) => hivemind(home, args);
  expect(run("team", "setup", "web", "lead", "dev", "--kind", "demo", "--cwd", home.work).code).toBe(0);
  expect(run("send", "lead", "--wait", "remember the milk").code).toBe(0);
  home.tmux("split-window", "-d", "-t", "web:0.1", "-c", home.work, "sh");
  expect(run("registry", "set", "web:0.2", "console").code).toBe(0);
  return { home, run };
}

function agents(home: TestHome): Record<string, Row> {
  const pids = new Map(
    home
      .tmux("list-panes", "-s", "-t", "=web", "-F", "#{pane_id} #{pane_pid}")
      .trim()
      .split("\n")
      .map((line) => line.split(" ") as [string, string]),
  );
  const { teams } = json<{ teams: { agents: (Row & { paneId: string })[] }[] }>(home, ["status", "web"]);
  return Object.fromEntries(
    teams[0]!.agents.map(({ role, pane, kind, uuid, paneId }) => [
      role,
      { role, pane, kind, uuid, pid: Number(pids.get(paneId)) },
    ]),
  );
}

const file = ({ work }: TestHome) => join(work, "hivemind.yaml");

test("up after init --from adopts running agents: nothing is ended, and a second up does nothing", () => {
  const { home, run } = running();
  const before = agents(home);
  expect(run("init", "--from", "web")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("`up` will adopt the running agents"),
  });
  expect(readFileSync(file(home), "utf8")).toContain("\nrunning: adopt");

  const stored = contentsOf(home.config);
  const plan = run("plan");
  expect(plan.code).toBe(0);
  expect(plan.stdout).toContain(
    `* adopt lead in web:0.0: already runs; the file adopts it  ${before.lead!.uuid}`,
  );
  expect(plan.stdout).toContain("* adopt dev in web:0.1");
  expect(plan.stdout).toContain("= keep console");
  expect(contentsOf(home.config)).toEqual(stored);

  expect(run("up")).toMatchObject({ code: 0, stdout: expect.stringContaining("web: 2 adopted") });
  expect(agents(home)).toEqual(before);
  expect(readFileSync(join(home.config, "hivemind.moved.env"), "utf8")).toBe(
    `web:lead|${before.lead!.uuid}\nweb:dev|${before.dev!.uuid}\n`,
  );
  for (const command of ["up", "reload"])
    expect(run(command)).toMatchObject({ code: 0, stdout: "web: everything runs as the file says\n" });
  expect(run("plan").stdout).toContain("everything runs as the file says");
  expect(agents(home)).toEqual(before);
});

test("an adopted agent belongs to the file: it comes back in its conversation, and down ends it", async () => {
  const { home, run } = running();
  const before = agents(home);
  run("init", "--from", "web");
  expect(run("up").code).toBe(0);
  home.tmux("kill-server");
  expect(run("up")).toMatchObject({ code: 0 });
  const after = agents(home);
  expect([after.lead!.uuid, after.dev!.uuid]).toEqual([before.lead!.uuid, before.dev!.uuid]);
  expect(run("send", "lead", "--wait", "and the bread")).toMatchObject({ code: 0 });
  expect(run("sessions", "show", "lead").stdout).toContain("remember the milk");
  expect(run("down")).toMatchObject({ code: 0, stdout: expect.stringContaining("lead") });
});

test("an ended agent is taken over with its last conversation", async () => {
  const { home, run } = running();
  const { lead } = agents(home);
  process.kill(lead!.pid!, "SIGKILL");
  await until("a dead pane", () => home.tmux("list-panes", "-a", "-F", "#{pane_dead}").includes("1"));
  expect(run("init", "--from", "web").code).toBe(0);
  expect(run("plan").stdout).toMatch(/\+ heal lead in web:0\.0: .*resumes its conversation/);
  expect(run("up")).toMatchObject({ code: 0 });
  expect(agents(home).lead).toMatchObject({ pane: lead!.pane, uuid: lead!.uuid });
  expect(run("up").stdout).toBe("web: everything runs as the file says\n");
});

test("a file without `running: adopt` adopts no agent, and neither does a fresh start", () => {
  const { home, run } = running();
  const before = agents(home);
  run("init", "--from", "web");
  const written = readFileSync(file(home), "utf8");
  writeFileSync(file(home), written.replace(/^running: .*\n/m, ""));
  expect(run("up")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/lead: web:0\.0 has its name .*not started by this project/),
  });
  writeFileSync(file(home), written);
  expect(run("up", "lead", "--fresh")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("to start fresh: hivemind up lead --fresh"),
  });
  expect(agents(home)).toEqual(before);
});

test("an agent of another kind, or in another folder, is not adopted", () => {
  const { home, run } = running();
  const before = agents(home);
  run("init", "--from", "web");
  const written = readFileSync(file(home), "utf8");
  writeFileSync(file(home), written.replace("  lead:\n", `  lead:\n    cwd: ${home.root}\n`));
  expect(run("up", "lead")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`not to ${home.root}`),
  });
  writeFileSync(file(home), written.replace("  dev:\n    kind: demo\n", "  dev:\n"));
  expect(run("up", "dev")).toMatchObject({ code: 1, stderr: expect.stringContaining("has its name") });
  expect(agents(home)).toEqual(before);
});

test("an agent of the file with its own conversation keeps it", () => {
  const home = testHome();
  const run = (...args: string[]) => hivemind(home, args);
  const text = "project: web\nrunning: adopt\ndefaults:\n  kind: demo\nagents:\n  lead:\n";
  writeFileSync(file(home), text);
  expect(run("up").code).toBe(0);
  expect(run("send", "lead", "--wait", "mine").code).toBe(0);
  expect(run("down").code).toBe(0);
  expect(run("team", "remove", "web", "--yes").code).toBe(0);
  expect(run("team", "setup", "web", "lead", "--kind", "demo", "--cwd", home.work).code).toBe(0);
  const stranger = agents(home).lead!;
  expect(stranger.uuid).not.toBe(deriveSessionId("web", "lead"));
  expect(run("up")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("not started by this project"),
  });
  expect(agents(home).lead).toEqual(stranger);
});
