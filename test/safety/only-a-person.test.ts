// An agent tries to decide what only a person may decide, in every way that mistakes and planted text would take.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shellWord } from "../../src/base/text/shell-word.js";
import { demoAgent, hivemind, mainProgram } from "../command.js";
import { makeHome, paneVariables, removeHome, type TestHome, until } from "../home.js";
import { bareVariables, byAgent, byNobody, ordersIn } from "./orders.js";

let home: TestHome;
beforeAll(() => {
  home = makeHome();
});
afterAll(() => removeHome(home));

const permit = ["allow", "dev", "commands"];

const bare = () => bareVariables(home);
const orders = (name: string) => ordersIn(home, name, permit);

/** What the commands would have changed. */
function decided() {
  const settings = join(home.claude, "settings.json");
  return {
    allowed: hivemind(home, ["allow"]).stdout,
    settings: existsSync(settings),
    tmux: existsSync(join(home.home, ".tmux.conf")) || home.tmux("list-keys").includes("hivemind"),
    panes: home.tmux("list-panes", "-s", "-t", "=team").trim().split("\n").length,
  };
}

describe("an agent", () => {
  /** `dev` is its pane's process; a person started `typed` from a shell. Each has a tool that runs shell lines. */
  let [dev, typed]: ReturnType<typeof orders>[] = [];
  let before: ReturnType<typeof decided>;

  beforeAll(async () => {
    dev = orders("dev");
    typed = orders("typed");
    const agent = (role: string, tool: string) =>
      `${tool} & exec ${process.execPath} ${demoAgent} -n ${role}`;
    const variables = paneVariables({ ...home.env, PS1: "$ " });
    const start = (...words: string[]) =>
      home.tmux(...words.slice(0, 1), "-dP", "-F", "#{pane_id}", ...words.slice(1)).trim();
    const lead = start(
      "new-session",
      "-s",
      "team",
      "-x",
      "200",
      "-y",
      "50",
      ...variables,
      process.execPath,
      demoAgent,
      "-n",
      "lead",
    );
    const beside = start("split-window", "-t", lead, ...variables, agent("dev", dev.loop));
    const shell = start("split-window", "-t", lead, ...variables, "sh -i");
    home.tmux("send-keys", "-t", shell, "-l", `sh -c ${shellWord(agent("typed", typed.loop))}`);
    home.tmux("send-keys", "-t", shell, "Enter");
    for (const [pane, role] of [
      [lead, "lead"],
      [beside, "dev"],
      [shell, "typed"],
    ] as const) {
      await until(`${role} runs`, () => hivemind(home, ["wait", pane, "--timeout", "0"]).code === 0);
      hivemind(home, ["registry", "set", pane, role]);
    }
    before = decided();
    expect(before).toEqual({
      allowed: "No agent may send commands to other agents.\n",
      settings: false,
      tmux: false,
      panes: 3,
    });
  });

  test.each([
    [["allow", "dev", "commands"]],
    [["allow", "lead", "commands"]],
    [["allow", "dev", "commands", "--off"]],
    [["approve", "lead"]],
    [["reject", "lead"]],
    [["option", "lead", "1"]],
    [["dismiss", "lead"]],
    [["hooks", "install"]],
    [["hooks", "install", "--project"]],
    [["hooks", "remove"]],
    [["tmux", "install"]],
    [["tmux", "remove"]],
    [["watch", "install", "--yes"]],
    [["watch", "remove"]],
    [["serve", "--port", "0", "--allow-actions"]],
    [["serve", "link"]],
    [["agent", "spawn", "scout", "--kind", "demo", "--team", "team", "--accept-inbound"]],
    [["agent", "bootstrap", "scout", "--kind", "demo", "--team", "team", "--accept-inbound"]],
  ])("may not: hivemind %s", async (args) => {
    expect(await dev!.report('"$decide"', args)).toMatch(byAgent);
    expect(decided()).toEqual(before);
  });

  test("may not open an agent by a team file, and may start what a person opened", async () => {
    const folder = join(home.root, "shop");
    mkdirSync(folder);
    const write = (inbound: string) =>
      writeFileSync(
        join(folder, "hivemind.yaml"),
        `project: shop\nagents:\n  scout:\n    kind: demo\n    inbound: ${inbound}\n`,
      );
    const up = ["up", "--file", folder];
    write("accept");
    const refused = /only a person may open scout to other agents \(inbound: accept\)[\s\S]*exit 1\n$/;
    expect(await dev!.report('"$decide"', up)).toMatch(refused);
    expect(decided()).toEqual(before);
    write("hold");
    expect(await dev!.report('"$decide"', up)).toMatch(/exit 0\n$/);
    write("accept");
    expect(await dev!.report('"$decide"', ["reload", "--yes", "--file", folder])).toMatch(refused);
    expect(hivemind(home, ["reload", "--yes", "--file", folder]).code).toBe(0);
    home.tmux("kill-session", "-t", "=shop");
    expect(await dev!.report('"$decide"', up)).toMatch(/exit 0\n$/);
    home.tmux("kill-session", "-t", "=shop");
  });

  test.each([
    [["allow"], /^No agent may/],
    [["hooks", "status"], /^WHAT/],
    [["hooks", "install", "--print"], /"hooks"/],
  ])("may read: hivemind %s", async (args, printed) => {
    const answer = await dev!.report('"$decide"', args);
    expect(answer).toMatch(printed);
    expect(answer).toMatch(/exit 0\n$/);
  });

  const ways: [string, string, RegExp, RegExp?][] = [
    ["through layers of sh", `sh -c 'sh -c "sh -c \\"$decide\\"; true"; true'`, byAgent],
    ["without the variables of tmux", 'env -u TMUX_PANE -u TMUX "$decide"', byAgent],
    ["with an empty environment", 'env -i $bare "$decide"', byAgent],
    ["with no registry", 'HIVEMIND_IGNORE_REGISTRY=1 CLAUDE_CONFIG_DIR=/nowhere "$decide"', byAgent],
    ["with setsid", 'setsid "$decide"', byAgent],
    ["with setsid, waiting", 'setsid -w "$decide"', byAgent],
    ["with setsid -f", `setsid -f "$orphan"`, byNobody],
    // At the terminal its leader shows the agent, but not if that is a person's shell.
    ["from a background job whose parent has ended", '("$orphan" &)', byAgent, byNobody],
    ["from two such jobs, one inside the other", `(sh -c '("$orphan" &)' &)`, byAgent, byNobody],
    [
      "with nohup, before its parent ends",
      `sh -c 'nohup "$orphan" < /dev/null > /dev/null 2>&1 & exit'`,
      byAgent,
      byNobody,
    ],
    ["from a background job without the terminal", `setsid sh -c '("$orphan" &)'`, byNobody],
    ["as an orphan with an empty environment", '(env -i $bare "$orphan" &)', byAgent, byNobody],
    ["from a group of its own", `sh -mc '("$orphan" &)'`, byAgent, byNobody],
  ];

  test.each(ways)("may not decide %s", async (_, line, refused) => {
    expect(await dev!.report(line.replace("$bare", bare().join(" ")))).toMatch(refused);
    expect(decided()).toEqual(before);
  });

  test.each(ways)(
    "that a person started from a shell may not decide %s",
    async (_, line, refused, there = refused) => {
      expect(await typed!.report(line.replace("$bare", bare().join(" ")))).toMatch(there);
      expect(decided()).toEqual(before);
    },
  );
});

describe("a person", () => {
  const may = /may send commands to other agents\nexit 0\n$/;

  /** Runs lines in a pane of its own. */
  function shell(name: string) {
    const made = orders(name);
    home.tmux("new-window", "-d", "-t", "=team:", ...paneVariables(home.env), made.loop);
    return made;
  }

  test("may decide in a pane", async () => {
    expect(await shell("person").report('"$decide"')).toMatch(may);
  });

  test("may decide by a key binding", () => {
    const variables = Object.entries(home.env).map(([name, value]) => `${name}=${value}`);
    const words = ["env", ...variables, process.execPath, mainProgram, ...permit];
    const printed = join(home.root, "bound");
    home.tmux("run-shell", `(${words.map(shellWord).join(" ")}; echo exit $?) > ${printed} 2>&1`);
    expect(readFileSync(printed, "utf8")).toMatch(may);
  });

  test("needs a terminal: nothing else in a pane may decide", async () => {
    const made = shell("background");
    expect(await made.report('setsid -w "$decide"')).toMatch(byNobody);
    expect(await made.report('("$orphan" &)')).toMatch(byNobody);
    expect(await made.report('setsid -w "$decide"', ["hooks", "install"])).toMatch(byNobody);
    expect(await made.report('setsid -w "$decide"', ["hooks", "install", "--print"])).toMatch(/exit 0\n$/);
  });
});
