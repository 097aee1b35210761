// Who may decide in a container: the shell is process 1, and its session's leader may be outside the pid namespace.

import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shellWord } from "../../src/base/text/shell-word.js";
import { demoAgent, mainProgram } from "../command.js";
import { makeHome, removeHome, type TestHome, until } from "../home.js";
import { type InnerShell, innerShell, whyNoNamespace } from "../namespaces.js";
import { byAgent, byNobody, ordersIn } from "./orders.js";

const install = ["hooks", "install"];
const may = /installed [\s\S]*exit 0\n$/;

describe.skipIf(whyNoNamespace).each([
  ["that is process 1 and the leader", true],
  ["that is process 1, with its leader outside", false],
])("in a shell %s", (_, isLeader) => {
  let home: TestHome;
  let shell: InnerShell;
  let person: ReturnType<typeof ordersIn>;
  beforeAll(async () => {
    home = makeHome();
    // The tmux around the namespace is not the one that hivemind asks.
    home.env.HIVEMIND_TMUX_SOCKET = join(home.root, "inner.sock");
    shell = innerShell(home, { isLeader });
    person = ordersIn(home, "person", install);
    await until("the shell is up", () => /inside\$/.test(shell.screen()));
    shell.type(`${person.typed}; echo "I am $$"`);
    await until("the shell is process 1", () => /^I am 1$/m.test(shell.screen()));
  });
  afterAll(() => removeHome(home));

  const typed = (line: string) => person.report(line, install, shell.type);

  test.each<[string, string, RegExp]>([
    ["may decide", '"$decide"', may],
    ["may decide through layers of sh", `sh -c 'sh -c "$decide"; true'`, may],
    // An orphan of its first program would look the same.
    ["is not behind a pipe", 'true | "$decide"', byNobody],
    ["may decide in the foreground of a subshell", '( "$decide"; true )', may],
    ["needs the foreground", '"$orphan" &', byNobody],
    ["is not in an orphan that process 1 adopted", '("$orphan" &)', byNobody],
    ["is not in an orphan of a program in the foreground", `sh -c '("$orphan" &); sleep 5'`, byNobody],
    ["is not in two orphans, one inside the other", `(sh -c '("$orphan" &)' &)`, byNobody],
    ["is not in an orphan of nohup", `sh -c 'nohup "$orphan" < /dev/null > /dev/null 2>&1 & exit'`, byNobody],
    ["is not in an orphan with a group of its own", `sh -mc '("$orphan" &)'`, byNobody],
    ["is not where setsid took the terminal", 'setsid -w "$decide"', byNobody],
    ["is not in an orphan with a session of its own", 'setsid -f "$orphan"', byNobody],
    ["may decide in a tmux inside", 'tmux -S "$HOME/t" -f /dev/null new-session "$decide"', may],
  ])("a person %s", async (_, line, expected) => expect(await typed(line)).toMatch(expected));

  describe("that started an agent", () => {
    let tool: ReturnType<typeof ordersIn>;
    beforeAll(async () => {
      tool = ordersIn(home, "tool", install);
      const agent = `${tool.loop} & exec ${process.execPath} ${demoAgent} -n dev`;
      shell.type(`clear; sh -c ${shellWord(agent)}`);
      await until("the agent shows its box", () => /❯/.test(shell.screen()));
    });

    test.each<[string, string, RegExp]>([
      ["through layers of sh", `sh -c 'sh -c "$decide"; true'`, byAgent],
      ["with setsid", 'setsid "$decide"', byAgent],
      ["with setsid -f", 'setsid -f "$orphan"', byNobody],
      ["from a background job whose parent has ended", '("$orphan" &)', byNobody],
      ["with nohup", `sh -c 'nohup "$orphan" < /dev/null > /dev/null 2>&1 & exit'`, byNobody],
      ["from a group of its own", `sh -mc '("$orphan" &)'`, byNobody],
      ["from an orphan that takes the terminal", `(sh -c 'sh -mc "$orphan"' &)`, byNobody],
      ["from a background job without the terminal", `setsid sh -c '("$orphan" &)'`, byNobody],
    ])("the agent may not decide %s", async (_, line, refused) => {
      expect(await tool.report(line)).toMatch(refused);
    });

    test("a person may decide while the agent is stopped", async () => {
      // In the loop of its tool this is the agent's own pid.
      expect(await tool.report('kill -STOP "$$"; "$decide"')).toMatch(byAgent);
      await until("the shell has the terminal", () => /Stopped/.test(shell.screen()));
      expect(await typed('"$decide"')).toMatch(may);
    });
  });
});

test.skipIf(whyNoNamespace)(
  "an agent that is process 1 may not decide, and neither may what it adopts",
  async () => {
    const home = makeHome();
    try {
      home.env.HIVEMIND_TMUX_SOCKET = join(home.root, "inner.sock");
      const tool = ordersIn(home, "tool", install);
      const shell = innerShell(home, { isLeader: true });
      await until("the shell is up", () => /inside\$/.test(shell.screen()));
      shell.type(`exec sh -c ${shellWord(`${tool.loop} & exec ${process.execPath} ${demoAgent} -n dev`)}`);
      await until("the agent shows its box", () => /❯/.test(shell.screen()));
      expect(await tool.report('"$decide"')).toMatch(byAgent);
      expect(await tool.report('("$orphan" &)')).toMatch(byAgent);
      expect(await tool.report('setsid -f "$orphan"')).toMatch(byAgent);
    } finally {
      removeHome(home);
    }
  },
);

describe.skipIf(whyNoNamespace)("the demo in a shell", () => {
  test.each([
    ["that is process 1 and the leader", true],
    ["that is process 1, with its leader outside", false],
  ])("%s: a and y approve the request", async (_, isLeader) => {
    const home = makeHome();
    try {
      const shell = innerShell(home, { isLeader });
      await until("the shell is up", () => /inside\$/.test(shell.screen()));
      shell.type([process.execPath, mainProgram, "demo"].map(shellWord).join(" "));
      await until("the demo shows its fleet", () => /reviewer +waiting/.test(shell.screen()));
      home.tmux("send-keys", "-t", shell.pane, "a");
      await until("it asks", () => /npm test[\s\S]*Approve this\? y\/n/.test(shell.screen()));
      home.tmux("send-keys", "-t", shell.pane, "y");
      await until("it is approved", () => /reviewer: approved Bash: npm test/.test(shell.screen()));
      home.tmux("send-keys", "-t", shell.pane, "q");
      await until("the demo has ended", () => /inside\$ *\n*$/.test(shell.screen().trimEnd()));
    } finally {
      removeHome(home);
    }
  });
});
