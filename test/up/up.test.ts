import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { openStores } from "../../src/stores/stores.js";
import { bringUp } from "../../src/up/up.js";
import { writtenProject } from "../../src/up/written.js";
import { hivemind } from "../command.js";
import { transcriptPath } from "../demo-agent/driver.js";
import { until } from "../home.js";
import { idFor, type WrittenTeam, writtenTeam } from "./written.js";

const stores = ({ home }: WrittenTeam, name: string) => readFileSync(join(home.config, name), "utf8");

test("a team comes up, stays unchanged, goes down, and comes back in the same conversations", async () => {
  const team = writtenTeam({
    lead: ["cwd: link", "prompt: lead.md"],
    dev: ["fork: lead"],
    sh: ["kind: shell"],
  });
  const { home, run } = team;
  mkdirSync(join(home.work, "real"));
  symlinkSync(join(home.work, "real"), join(home.work, "link"));
  team.write({
    lead: ["cwd: link", "prompt: lead.md"],
    dev: ["cwd: real", "fork: lead"],
    sh: ["kind: shell"],
  });
  const dry = run("up", "--dry-run", "--json");
  expect(JSON.parse(dry.stdout)).toMatchObject({ team: "shop", isRunning: false });
  expect(existsSync(home.config)).toBe(false);
  expect(run("up", "lead")).toMatchObject({ code: 1, stderr: expect.stringContaining("no role prompt") });
  writeFileSync(join(home.work, "lead.md"), "You lead.\n");

  expect(run("up")).toMatchObject({ code: 0, stdout: expect.stringContaining("shop: 3 started") });
  const before = team.agents();
  expect(before).toMatchObject({
    lead: { uuid: idFor("lead"), pane: "shop:0.0", cwd: join(home.work, "real") },
    dev: { uuid: idFor("dev"), pane: "shop:0.1" },
    sh: { kind: "shell", pane: "shop:0.2" },
  });
  expect(stores(team, "hivemind.forks.env")).toContain(`|dev|${idFor("dev")}|stable|${idFor("lead")}`);
  expect(stores(team, "hivemind.projects.env")).toContain(`shop|${home.work}\n`);
  expect(stores(team, "hivemind.teams.env")).toContain("shop|");
  expect(run("up")).toMatchObject({
    code: 0,
    stdout: "shop: everything runs as the file says\n",
    stderr: "",
  });
  expect(team.agents()).toEqual(before);

  expect(run("down")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("lead  shop:0.0: left on /exit"),
  });
  expect(() => home.tmux("list-panes", "-a")).toThrow();
  const words = readFileSync(transcriptPath(home, join(home.work, "real"), idFor("lead")), "utf8");
  expect(words).toContain("You lead.");
  expect(run("up", "--except", "sh,dev")).toMatchObject({ code: 0 });
  expect(team.agents()).toMatchObject({ lead: { uuid: idFor("lead") } });
  const after = readFileSync(transcriptPath(home, join(home.work, "real"), idFor("lead")), "utf8");
  expect(after.startsWith(words)).toBe(true);
  expect(after.split("You lead.")).toHaveLength(words.split("You lead.").length);
});

test("a team that is down also comes back from the roster; a forgotten one is reported with its file", async () => {
  const team = writtenTeam({ lead: [], sh: ["kind: shell"] });
  const { home, run } = team;
  run("up");
  expect(run("send", "lead", "--wait", "hello").code).toBe(0);
  expect(run("down")).toMatchObject({ code: 0 });
  expect(run("team", "restart", "shop")).toMatchObject({ code: 0, stderr: "" });
  expect(team.agents().lead).toMatchObject({ uuid: idFor("lead"), isDead: false });
  const { lead } = team.agents();
  expect(run("up", "lead").stdout).toBe("shop: everything runs as the file says\n");
  expect(team.agents().lead).toEqual(lead);
  home.tmux("kill-server");
  for (const role of ["lead", "sh"]) expect(run("agent", "forget", role).code).toBe(0);
  expect(run("team", "restart", "shop").stderr).toContain(
    `it has a team file: hivemind up --file ${home.work}\n`,
  );
});

test("one look is enough to find that everything runs as the file says", async () => {
  const { home, run } = writtenTeam({ lead: [] });
  expect(run("up").code).toBe(0);
  const hive = openHive({ env: home.env });
  const world = hive.teamWorld({ progress: () => {}, note: () => {} });
  const file = writtenProject(world, "shop");
  const only = new Set(file.agents.map(({ id }) => id));
  const { ownPane } = hive;
  const how = { mode: "up", isFresh: false, isBroadAllowed: false, ownPane, checkOpening: () => {} } as const;
  expect(await bringUp(world, file, only, how)).toMatchObject({ done: [], failed: [] });
  expect(hive.tmux.spawns).toBe(1);
});

test("an agent that moved on is resumed there, and starts fresh only on request, with its transcript archived", async () => {
  const team = writtenTeam({ lead: [] });
  const { home, run } = team;
  run("up");
  const path = transcriptPath(home, home.work, idFor("lead"));
  expect(run("send", "lead", "--wait", "hello").code).toBe(0);
  expect(run("send", "lead", "/clear").code).toBe(0);
  const moved = await until("another session", () => {
    const { uuid } = team.agents().lead!;
    return uuid !== null && uuid !== idFor("lead") ? uuid : null;
  });
  expect(run("plan").stdout).toContain(`it moved on to ${moved}`);
  expect(run("send", "lead", "--wait", "again").code).toBe(0);
  expect(run("up").code).toBe(0);
  expect(stores(team, "hivemind.moved.env")).toContain(`shop:lead|${moved}\n`);
  run("down");
  expect(run("up")).toMatchObject({ code: 0, stdout: expect.stringContaining(moved) });
  expect(team.agents().lead).toMatchObject({ uuid: moved });

  const words = readFileSync(path, "utf8");
  const { pid } = team.agents().lead!;
  expect(run("up", "--fresh")).toMatchObject({ code: 0, stdout: expect.stringContaining("starts fresh") });
  expect(team.agents().lead).toMatchObject({ uuid: idFor("lead") });
  expect(team.agents().lead!.pid).not.toBe(pid);
  expect([existsSync(path), readFileSync(`${path}.bak`, "utf8")]).toEqual([false, words]);
  expect(stores(team, "hivemind.moved.env")).not.toContain(moved);
});

test("the tmux session has its locked size; windows have the names of agents", async () => {
  const team = writtenTeam({ lead: [], sh: ["kind: shell"] });
  const { home } = team;
  mkdirSync(home.config, { recursive: true });
  writeFileSync(join(home.config, "otmux.size.locks.env"), "shop|120×33\n");
  team.write({ lead: [], sh: ["kind: shell"] }, ["project: shop", "layout: windows"]);
  expect(team.run("up")).toMatchObject({ code: 0 });
  const format = "#{window_name} #{window_width}x#{window_height}";
  expect(home.tmux("list-windows", "-t", "=shop", "-F", format)).toBe("lead 120x33\nsh 120x33\n");
});

test("fifty agents fit, in windows with the file's layout, two of them with conversations", () => {
  const names = Array.from({ length: 50 }, (_, at) => `agent${at}`);
  const team = writtenTeam({});
  const settings = names.map((name, at) => [name, at % 25 === 0 ? [] : ["kind: shell"]] as const);
  team.write(Object.fromEntries(settings), ["project: shop", "layout: even-vertical"]);
  expect(team.run("up")).toMatchObject({ code: 0, stdout: expect.stringContaining("shop: 50 started") });
  const agents = team.agents();
  expect(Object.keys(agents).sort()).toEqual([...names].sort());
  expect(agents).toMatchObject({ agent0: { uuid: idFor("agent0") }, agent25: { uuid: idFor("agent25") } });
  const format = "#{window_panes} #{pane_width}";
  expect(team.home.tmux("list-windows", "-t", "=shop", "-F", format)).toBe(`${"9 200\n".repeat(5)}5 200\n`);
  expect(team.run("up").stdout).toBe("shop: everything runs as the file says\n");
});

test("one project id in two folders is refused with the other folder; a missing folder loses its claim", () => {
  const team = writtenTeam({ sh: ["kind: shell"] });
  const { home } = team;
  const other = join(home.root, "other");
  mkdirSync(other);
  writeFileSync(join(other, "hivemind.yaml"), readFileSync(join(home.work, "hivemind.yaml")));
  expect(team.run("up").code).toBe(0);
  for (const command of ["up", "plan", "reload", "down"]) {
    expect(hivemind(home, [command], { cwd: other })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`the project shop belongs to ${home.work}, not to ${other}`),
    });
  }
  // With another name it is still the same file.
  const named = join(home.work, "team.yaml");
  renameSync(join(home.work, "hivemind.yaml"), named);
  expect(team.run("up", "--file", "team.yaml")).toMatchObject({ code: 0, stderr: "" });
  expect(stores(team, "hivemind.projects.env")).toBe(`shop|${named}\n`);
  const { stderr } = hivemind(home, ["up"], { cwd: other });
  expect(stderr).toContain(`the project shop belongs to ${named}, not to ${other}`);
  expect(stderr).toContain(`hivemind up --file ${named}`);
  expect(writtenProject({ env: home.env, stores: openStores(home.env) }, "shop").path).toBe(named);
  rmSync(named);
  expect(hivemind(home, ["up"], { cwd: other })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`which no longer has a team file: now in ${other}`),
  });
});
