import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStores } from "../../src/stores/stores.js";
import { loadTeamFile } from "../../src/teamfile/load-team-file.js";
import { idleAgents, startAgents } from "../cli/agents.js";
import { hivemind, mainProgram } from "../command.js";
import { paneVariables, type TestHome, testHome, until } from "../home.js";

const here = (home: TestHome) => loadTeamFile({ from: home.work, env: home.env });
const fileOf = (home: TestHome) => join(realpathSync(home.work), "hivemind.yaml");

test("without a terminal the options decide, and the rest has defaults", () => {
  const home = testHome();
  const { code, stdout, stderr } = hivemind(home, ["init"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^wrote .*hivemind\.yaml: work with lead, dev\n[\s\S]* plan\n.* up\n$/);
  expect(here(home)).toMatchObject({
    project: "work",
    team: "work",
    agents: [{ id: "lead" }, { id: "dev" }],
  });
  expect(statSync(fileOf(home)).mode & 0o777).toBe(0o666 & ~process.umask());
});

test("an existing team file stays, unless it is to be replaced", () => {
  const home = testHome();
  const own = join(realpathSync(home.work), "hivemind.yml");
  const target = join(home.home, "target.yaml");
  writeFileSync(target, "mine");
  symlinkSync(target, own);
  const options = ["--project", "my.web", "--agents", "po tester", "--model", "opus", "--layout", "windows"];
  const refused = hivemind(home, ["init", ...options]);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toMatch(/already a team file: .*hivemind\.yml\n.*init --force\n/);
  expect(readFileSync(target, "utf8")).toBe("mine");

  expect(hivemind(home, ["init", ...options, "--force"]).code).toBe(0);
  expect(lstatSync(own).isSymbolicLink()).toBe(true);
  expect(here(home)).toMatchObject({ path: own, project: "my.web", team: "my_web", layout: "windows" });
  expect(here(home).agents).toMatchObject([
    { id: "po", model: "opus" },
    { id: "tester", model: "opus" },
  ]);
});

test("invalid values are refused before anything is written", () => {
  const home = testHome();
  for (const [options, code, why] of [
    [["--project", "a:b"], 1, /a project id is/],
    [["--agents", "1st"], 1, /a role starts with a letter/],
    [["--layout", "grid"], 1, /one of tiled/],
    [["--from", "nobody"], 1, /no team "nobody" is running/],
    [["--from", "x", "--agents", "a"], 2, /--from copies the running agents, so --agents cannot be used/],
    [["--agnets", "a"], 2, /unknown option/],
  ] as const) {
    const ran = hivemind(home, ["init", ...options]);
    expect(ran).toMatchObject({ code, stdout: "" });
    expect(ran.stderr).toMatch(why);
    expect(existsSync(fileOf(home))).toBe(false);
  }
  mkdirSync(fileOf(home));
  expect(hivemind(home, ["init", "--force"])).toMatchObject({ code: 1, stdout: "" });
});

test("no file is written in a broad folder, unless requested", () => {
  const home = testHome();
  const inHome = (...options: string[]) => hivemind(home, ["init", ...options], { cwd: home.home });
  expect(inHome()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/home folder\n.*--allow-broad-cwd/),
  });
  expect(existsSync(join(home.home, "hivemind.yaml"))).toBe(false);
  expect(inHome("--allow-broad-cwd").code).toBe(0);
});

test("the schema and the keys are shown and nothing is written", () => {
  const home = testHome();
  expect(JSON.parse(hivemind(home, ["init", "--schema"]).stdout)).toMatchObject({
    required: ["project", "agents"],
  });
  expect(hivemind(home, ["init", "--keys"]).stdout).toContain("\nmodel: opus  (defaults, agent)\n");
  expect(existsSync(fileOf(home))).toBe(false);
});

test("at a terminal it asks for missing options, and asks again after an invalid answer", async () => {
  const home = testHome();
  const run = (...args: string[]) =>
    home.tmux(
      ...[
        "new-session",
        "-d",
        "-x",
        "150",
        "-y",
        "30",
        "-s",
        "asked",
        "-c",
        home.work,
        ...paneVariables(home.env),
      ],
      ...[
        process.execPath,
        mainProgram,
        "init",
        "--model",
        "opus",
        ...args,
        ";",
        "set",
        "remain-on-exit",
        "on",
      ],
    );
  const screen = (words: RegExp) =>
    until(`${words}`, () => words.test(home.tmux("capture-pane", "-p", "-t", "=asked:")));
  run();
  await screen(/Project id \[work\]: *\n/);
  home.tmux("send-keys", "-t", "=asked:", "a:b", "Enter");
  await screen(/refused "a:b"[\s\S]*Project id \[work\]: *\n/);
  home.tmux("send-keys", "-t", "=asked:", "web4", "Enter");
  await screen(/Agents.*\[lead,dev\]: *\n/);
  home.tmux("send-keys", "-t", "=asked:", "po, tester", "Enter");
  await screen(/wrote .*hivemind\.yaml: web4 with po, tester/);
  expect(here(home)).toMatchObject({
    project: "web4",
    agents: [{ id: "po", model: "opus" }, { id: "tester" }],
  });

  home.tmux("kill-session", "-t", "=asked");
  run("--force");
  await screen(/Project id \[work\]: *\n/);
  home.tmux("send-keys", "-t", "=asked:", "C-c");
  await screen(/nothing was written/);
  expect(here(home).project).toBe("web4");
});

test("from a running team: roles, folders, models; afterwards the file names the agents", async () => {
  const home = testHome();
  startAgents(home, "alpha", ["-n", "teamctl:web4:lead", "--model", "opus"], ["-n", "teamctl:web4:dev"], []);
  await idleAgents(home, 3);
  hivemind(home, ["team", "register", "alpha"]);
  hivemind(home, ["registry", "refresh"]);
  const made = hivemind(home, ["init", "--from", "alpha"]);
  expect(made.code).toBe(0);
  expect(made.stderr).toBe("hivemind: alpha:0.2 has no role: hivemind agent adopt alpha:0.2\n");
  expect(here(home)).toMatchObject({ project: "web4", team: "alpha", layout: "tiled" });
  const [lead, dev] = here(home).agents;
  expect(lead).toMatchObject({ id: "lead", kind: "demo", cwd: realpathSync(home.work), model: "opus" });
  expect(dev?.id).toBe("dev");

  await openStores(home.env).projects.update(() => [{ project: "web4", folder: realpathSync(home.work) }]);
  const { code, stderr } = hivemind(home, ["agent", "rename", "dev", "chief"]);
  expect(code).toBe(1);
  expect(stderr).toContain(`the team file of web4 names this agent "dev": ${fileOf(home)}:${dev?.line}\n`);
});
