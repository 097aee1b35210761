// The documents that hivemind is based on, from top to bottom: every command and every file sample in them, as
// printed. Where a sample is cut ("a2ad74ab-..."), the rest of the id is filled in.

import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { seedPrograms } from "../src/cli/seed-names.js";
import { meta, said } from "./claw/stores.js";
import { demoAgent, mainProgram } from "./command.js";
import { type TestHome, testHome, until } from "./home.js";

const id = (start: string) => `${start}-0000-4000-8000-000000000000`;
const [po, architect, ghost] = [id("a2ad74ab"), id("5b56e996"), id("00000000")];

/** A shell in which the programs of the documents are links to ours, and `claude` is the demo agent. */
function shellWith(home: TestHome) {
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  for (const name of Object.keys(seedPrograms)) symlinkSync(mainProgram, join(bin, name));
  const claude = `#!/bin/sh\nexec ${process.execPath} ${demoAgent} "$@"\n`;
  writeFileSync(join(bin, "claude"), claude, { mode: 0o755 });
  home.env.PATH = `${bin}:${home.env.PATH}`;
  const run = (line: string, cwd = home.work) => {
    const { status, stdout, stderr } = spawnSync("sh", ["-c", line], {
      env: home.env,
      cwd,
      encoding: "utf8",
      timeout: 120_000,
    });
    return { code: status, stdout, stderr, all: stdout + stderr };
  };
  const file = (name: string) => join(home.config, name);
  const write = (name: string, text: string) => {
    mkdirSync(home.config, { recursive: true });
    writeFileSync(file(name), text);
  };
  const read = (name: string) => readFileSync(file(name), "utf8");
  return { run, file, read, write };
}

/** Both agents of web4team, each in the conversation that the documents give it. */
async function web4team(home: TestHome) {
  const start = (session: string, name: string) => ["env", "claude", "--session-id", session, "-n", name];
  const size = ["-x", "120", "-y", "40", "-c", home.work];
  home.tmux(
    "set-option",
    "-g",
    "default-terminal",
    "screen-256color",
    ";",
    "set-option",
    "-g",
    "remain-on-exit",
    "on",
    ";",
    "new-session",
    "-d",
    "-s",
    "web4team",
    ...size,
    ...start(po, "web4-po"),
  );
  home.tmux(
    "split-window",
    "-d",
    "-t",
    "=web4team:0.0",
    "-c",
    home.work,
    ...start(architect, "web4-architect"),
  );
  const isIdle = () => home.tmux("list-panes", "-s", "-t", "=web4team", "-F", "#{pane_title}").split("\n");
  await until(
    "both titles",
    () => isIdle().join().includes("web4-po") && isIdle().join().includes("web4-architect"),
  );
}

test("hiveMind UUID tracking and fork lineage", async () => {
  const home = testHome();
  const { run, read, write, file } = shellWith(home);

  // Cold start: the page of teams that can be restored.
  write(
    "hivemind.teams.env",
    "ooshTeam|OOSH development team\nweb4team|Web4 architecture team\nTRONinterface|PO supervision\n",
  );
  const snapshot = `# version: 1\nweb4team|0.0|web4-po|${po}|web4-po|${home.work}||claude\n`;
  write("hivemind.snapshot.20260422.env", snapshot);
  const cold = run("hiveMind");
  expect(cold.stdout).toMatch(/^No tmux sessions running\.\nPersisted teams from .*hivemind\.teams\.env:/m);
  for (const row of [
    /ooshTeam +OOSH development team/,
    /web4team +Web4 architecture team/,
    /TRONinterface +PO supervision/,
  ])
    expect(cold.stdout).toMatch(row);
  expect(cold.stdout).toMatch(/Start with:[\s\S]*Restart one:[\s\S]*Pull remote:/);

  // Which session is in a pane.
  await web4team(home);
  expect(run("otmux pane.get '#{pane_title}' web4team:0.0").stdout).toContain("web4-po");
  expect(run("otmux pane.get '#{pane_current_path}' web4team:0.0").stdout).toBe(`${home.work}\n`);
  expect(run("claudeCode process.find web4team:0.0").stdout).toMatch(/^\d+\n$/);
  expect(run("claudeCode private.claudeCode.session.discover web4team:0.0").stdout).toBe(
    `${po}|stable|web4-po\n`,
  );
  expect(run("claudeCode session.current web4team:0.1").stdout).toBe(`${architect}\n`);
  expect(run("claudeCode session.state web4team:0.1").stdout).toBe("stable\n");
  expect(run("claudeCode session.probe web4team:0.1")).toMatchObject({ code: 0, stdout: `${architect}\n` });

  // A refresh writes the agents' places, and one row per agent.
  expect(run("hiveMind registry.refresh web4team")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/updated=\d+ broken=0/),
  });
  expect(read("hivemind.roles.env")).toMatch(/^web4team:0\.0\|web4-po\|\d+$/m);
  expect(read("hivemind.sessions.env")).toContain(`web4team:0.1|${architect}\n`);
  expect(read("hivemind.forks.env")).toMatch(
    new RegExp(
      `^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\\|web4team:0\\.0\\|web4-po\\|${po}\\|(live|stable)\\|$`,
      "m",
    ),
  );

  // The log as the document prints it, and its three queries.
  const sample = [
    "# hiveMind fork lineage — append-only audit log",
    "# timestamp|pane|role|uuid|state|parentUuid",
    `2026-04-22T08:52:40Z|web4team:0.0|web4-po|${po}|stable|`,
    `2026-04-22T08:52:40Z|web4team:0.1|web4-architect|${architect}|stable|`,
    `2026-04-22T08:55:12Z|web4team:0.1|web4-architect|${architect}|live|${po}`,
  ];
  write("hivemind.forks.env", `${sample.join("\n")}\n`);
  const forks = file("hivemind.forks.env");
  expect(run("hiveMind forks.list --pane web4team:0.1").stdout.match(/web4-architect/g)).toHaveLength(2);
  expect(run(`hiveMind forks.list --parent ${po}`).stdout).toContain("2026-04-22T08:55:12Z");
  expect(run(`grep '|web4team:0.1|' ${forks}`).stdout.split("\n")).toHaveLength(3);
  expect(run(`awk -F'|' '$6 == "${po}"' ${forks}`).stdout).toBe(`${sample[4]}\n`);

  // A session without a transcript is dropped, and the log has a row about it.
  appendFileSync(file("hivemind.sessions.env"), `ooshTeam:0.99|${ghost}\n`);
  appendFileSync(file("hivemind.roles.env"), "ooshTeam:0.99|web4-tester|1\n");
  expect(run("hiveMind consistency.audit").code).not.toBe(0);
  expect(run("hiveMind consistency.fix --yes").code).toBe(0);
  expect(read("hivemind.sessions.env")).not.toContain(ghost);
  expect(read("hivemind.forks.env")).toMatch(
    new RegExp(`^\\S+Z\\|ooshTeam:0\\.99\\|web4-tester\\|${ghost}\\|broken\\|$`, "m"),
  );
  expect(run(`awk -F'|' '$5 == "broken" {print $4}' ${forks} | sort -u | wc -l`).stdout.trim()).toBe("1");
  expect(run("hiveMind consistency.audit")).toMatchObject({ code: 0 });

  // Which agent has a name, in which team.
  expect(run("hiveMind resolve web4-po").stdout).toBe("web4team:0.0\n");
  expect(run("hiveMind resolve web4-po web4team").stdout).toBe("web4team:0.0\n");
  expect(run("hiveMind resolve nobody")).toMatchObject({ code: 1, stdout: "" });
  home.tmux("new-session", "-d", "-s", "ooshTeam", "-x", "120", "-y", "40", "-c", home.work, "cat");
  expect(run("hiveMind private.hiveMind.registry.set ooshTeam:0.0 web4-po").code).toBe(0);
  expect(run("hiveMind resolve web4-po")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/ooshTeam[\s\S]*web4team/),
  });
  expect(run("hiveMind registry.remove ooshTeam:0.0").code).toBe(0);
  expect(run("hiveMind agent.monitor web4-po").stdout).toContain("❯");
  expect(run("hiveMind send.message web4-po hello there")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^delivered to \S+\n$/),
  });
  expect(run("hiveMind delegate web4-architect look at the plan").code).toBe(0);
  expect(run("hiveMind team.switch web4team").code).toBe(0);

  // Every lifecycle method updates the caches.
  const rows = () => read("hivemind.forks.env").split("\n").length;
  for (const line of [
    "hiveMind agent.rename web4-architect web4-builder",
    "hiveMind agent.spawn web4-tester --team web4team",
    "hiveMind agent.bootstrap web4-writer --team web4team",
    "hiveMind agent.restart web4-builder",
  ]) {
    const before = rows();
    const ran = run(line);
    expect(ran, `${line}: ${ran.all}`).toMatchObject({ code: 0 });
    expect(rows(), line).toBeGreaterThan(before);
  }
  expect(run("hiveMind agent.kill web4-tester --yes").all).toContain("web4-tester");
  const { pane } = JSON.parse(run("hiveMind resolve web4-builder --json").stdout) as { pane: string };
  const builder = run(`claudeCode session.current ${pane}`).stdout.trim();
  expect(builder).toBe(architect);
  const forked = run(`claudeCode fork ${po}`);
  expect(forked, forked.all).toMatchObject({ code: 0 });
  expect(run("hiveMind team.restart web4team --yes")).toMatchObject({ code: 0 });
});

test("state stores S1 to S10", async () => {
  const home = testHome();
  const { run, read, write, file } = shellWith(home);
  await web4team(home);

  // S3, S1, S2.
  expect(run("hiveMind team.register web4team 'Web4 architecture team'").code).toBe(0);
  expect(read("hivemind.teams.env")).toContain("web4team|Web4 architecture team\n");
  expect(run("hiveMind team.list").stdout).toContain("web4team");
  expect(run('hiveMind private.hiveMind.registry.set "web4team:0.0" "web4-po"').code).toBe(0);
  expect(run("hiveMind private.hiveMind.registry.find web4-po").stdout).toBe("web4team:0.0\n");
  expect(run("hiveMind registry.refresh web4team").code).toBe(0);
  expect(run("hiveMind private.hiveMind.session.lookup web4team:0.0").stdout).toBe(`${po}\n`);

  // S7.
  expect(run("hiveMind team.activate web4team").code).toBe(0);
  expect(read("hivemind.active.team")).toBe("web4team\n");

  // S6: the document's message is queued, then delivered.
  mkdirSync(file("hivemind.queue"), { recursive: true });
  const epoch = Math.floor(Date.now() / 1000);
  writeFileSync(file("hivemind.queue/web4team_0_0.queue"), `${epoch}|inform|from the script\n`);
  expect(run("hiveMind agent.queue.show").stdout).toContain("from the script");
  expect(run("hiveMind agent.queue.append web4team:0.0 and a second one").code).toBe(0);
  expect(run("hiveMind agent.queue.drain web4team:0.0").stdout).toContain("delivered");
  await until("its tokens", () => run("claudeCode context.read web4team:0.0").code === 0);

  // S4: a save, and the sample.
  const saved = run("hiveMind teams.save");
  expect(saved).toMatchObject({ code: 0 });
  const name = /hivemind\.snapshot\.\S+\.env/.exec(saved.all)![0];
  expect(read(name)).toMatch(/^# version: 1\n/);
  expect(read(name)).toMatch(
    new RegExp(`^web4team\\|0\\.0\\|web4-po\\|${po}\\|web4-po\\|${home.work}\\|[^|]*\\|demo$`, "m"),
  );
  const sample = [
    "# version: 1",
    "# hiveMind snapshot 2026-05-25T19:30:00",
    "# session|address|role|uuid|title|cwd|model|kind",
    `ooshTeam|0.0|oosh-po|${id("aca3405a")}|oosh-po|${home.work}|opus|claude`,
    `ooshTeam|0.4|oosh-expert-shell||oosh-expert-shell|${home.work}||shell`,
  ];
  write("hivemind.snapshot.mine.env", `${sample.join("\n")}\n`);
  expect(run("hiveMind teams.list").stdout).toContain("hivemind.snapshot.mine.env");
  const projects = join(home.claude, "projects", home.work.replace(/[^A-Za-z0-9]/g, "-"));
  const word = {
    type: "user",
    sessionId: id("aca3405a"),
    cwd: home.work,
    message: { role: "user", content: "hi" },
  };
  mkdirSync(projects, { recursive: true });
  writeFileSync(join(projects, `${id("aca3405a")}.jsonl`), `${JSON.stringify(word)}\n`);
  const plan = run(`hiveMind teams.restore ${file("hivemind.snapshot.mine.env")} --dry-run`);
  expect(plan).toMatchObject({ code: 0, stdout: expect.stringMatching(/oosh-po/) });

  // S9.
  expect(run("otmux size.lock web4team 150x50").code).toBe(0);
  expect(read("otmux.size.locks.env")).toMatch(/^web4team\|150[x×]50$/m);
  expect(run("otmux size.floor.apply").code).toBe(0);
  expect(run("otmux size.unlock web4team").code).toBe(0);

  // S10.
  expect(run("otmux layout.save web4team").code).toBe(0);
  const layout = read("otmux/web4team.layout.env");
  for (const variable of [
    "OTMUX_LAYOUT_SESSION",
    "OTMUX_WINDOW_0_LAYOUT",
    "OTMUX_WINDOW_0_PANE_0_TITLE",
    "OTMUX_WINDOW_0_PANE_0_CWD",
    "OTMUX_WINDOW_0_PANE_0_CMD",
  ])
    expect(layout).toContain(`${variable}=`);
  expect(run("otmux layout.list").stdout).toContain("web4team");
  expect(run("otmux layout.show web4team").stdout).toContain("web4team");

  // S8: the viewer.
  onTestFinished(() => void run("tronMonitor reset --yes"));
  expect(run("tronMonitor setup").code).toBe(0);
  expect(run("tronMonitor add web4team").code).toBe(0);
  expect(read("tronMonitor.env")).toMatch(/^\d+\|web4team$/m);
  expect(run("tronMonitor list").stdout).toContain("web4team");
  expect(run("tronMonitor sync").code).toBe(0);
  expect(run("tronMonitor remove web4team").code).toBe(0);

  // The reconcile cycle, and the answer to a verb without a meaning here.
  expect(run("hiveMind consistency.reconcile").code).toBe(0);
  expect(run("hiveMind private.hiveMind.events.emit agent.killed x")).toMatchObject({ code: 2 });
  expect(run("hiveMind agent.forked.forks")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("event"),
  });

  // Cold start again: the team is restored as forks of its conversations.
  home.tmux("kill-server");
  const back = run("hiveMind teams.restore --fork --team web4team");
  expect(back, back.all).toMatchObject({ code: 0 });
  expect(read("hivemind.forks.env")).toMatch(new RegExp(`\\|${po}$`, "m"));
});

test("teamctl: one conversation per project and agent", async () => {
  const home = testHome();
  const { run } = shellWith(home);
  const folder = join(home.work, "hello");
  mkdirSync(folder);
  writeFileSync(join(folder, "hivemind.yaml"), "project: hello\nagents:\n  mgr: {}\n");
  expect(run("hivemind=hiveMind; $hivemind id hello mgr").stdout.trim()).toBe(
    "15533422-8bdb-5079-8420-efcdb81dd2e5",
  );
  const first = run("teamctl up", folder);
  expect(first, first.all).toMatchObject({ code: 0 });
  expect(run("hiveMind session.current mgr").stdout).toBe("15533422-8bdb-5079-8420-efcdb81dd2e5\n");
  expect(run("hiveMind send mgr --wait hello").code).toBe(0);
  expect(run("teamctl down", folder).code).toBe(0);
  const slug = join(home.claude, "projects", folder.replace(/[^A-Za-z0-9]/g, "-"));
  const transcript = join(slug, "15533422-8bdb-5079-8420-efcdb81dd2e5.jsonl");
  writeFileSync(join(slug, "task.md"), "durable");
  const before = readFileSync(transcript, "utf8");
  expect(run("teamctl up --fresh mgr", folder).code).toBe(0);
  expect(readFileSync(`${transcript}.bak`, "utf8")).toBe(before);
  expect(readFileSync(join(slug, "task.md"), "utf8")).toBe("durable");
});

test("claw: sessions belong to one clone", () => {
  const home = testHome();
  const { run } = shellWith(home);
  const [alpha, beta] = ["alpha", "beta"].map((name) => join(home.work, name)) as [string, string];
  for (const clone of [alpha, beta]) mkdirSync(join(clone, ".claw", "sessions"), { recursive: true });
  const fingerprint = (folder: string) => run("hiveMind fingerprint", folder).stdout.trim();
  expect(fingerprint(alpha)).toMatch(/^[0-9a-f]{16}$/);
  expect(fingerprint(alpha)).not.toBe(fingerprint(beta));
  symlinkSync(alpha, join(home.work, "other-name"));
  expect(fingerprint(join(home.work, "other-name"))).toBe(fingerprint(alpha));

  const session = (path: string, name: string, root?: string) => {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(
      path,
      `${JSON.stringify({ ...meta(name), ...(root && { workspace_root: root }) })}\n${JSON.stringify(said("hi"))}\n`,
    );
  };
  const partition = (clone: string) => join(clone, ".claw", "sessions", fingerprint(clone));
  session(join(partition(alpha), "session-1-0.jsonl"), "session-1-0", alpha);
  session(join(partition(beta), "session-1-0.jsonl"), "session-1-0", beta);
  // The older flat files: of this clone, of none, and of the other clone.
  session(join(alpha, ".claw/sessions/session-2-0.jsonl"), "session-2-0", alpha);
  session(join(alpha, ".claw/sessions/session-3-0.jsonl"), "session-3-0");
  session(join(alpha, ".claw/sessions/session-4-0.jsonl"), "session-4-0", beta);
  const listed = run("hiveMind sessions", alpha).stdout;
  for (const [name, isListed] of [
    ["session-1-0", true],
    ["session-2-0", true],
    ["session-3-0", true],
    ["session-4-0", false],
  ] as const)
    expect(listed.includes(name), name).toBe(isListed);
  const foreign = run("hiveMind sessions show session-4-0", alpha);
  expect(foreign).toMatchObject({ code: 1, stdout: "" });
  expect(foreign.stderr).toContain(alpha);
  expect(foreign.stderr).toContain(beta);
  for (const word of ["latest", "LATEST", "last", "recent"])
    expect(run(`hiveMind sessions show ${word}`, alpha).code, word).toBe(0);
  const forked = run("hiveMind sessions fork session-1-0", alpha);
  expect(forked, forked.all).toMatchObject({ code: 0 });
  expect(existsSync(partition(alpha))).toBe(true);
  rmSync(join(beta, ".claw"), { recursive: true });
  expect(run("hiveMind sessions show latest", beta).stderr).toContain(fingerprint(beta));
});
