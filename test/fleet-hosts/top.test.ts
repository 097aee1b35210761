// `top --fleet` at a real terminal, with a real server and an agent on another host.

import { afterAll, beforeAll, expect, test } from "vitest";
import { hivemind } from "../command.js";
import { paneVariables, testHome, until } from "../home.js";
import { allows, type FarHost, farAgent, farHost, farWatch } from "./far-hosts.js";
import { commandFor, shortLeases } from "./leases.js";
import { type NatsServers, startServers, testServers } from "./servers.js";

shortLeases();
let servers: NatsServers;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => servers.stop());

/** `top --fleet` of this host, in a pane of another tmux server. */
function openTop(host: FarHost) {
  const terminal = testHome();
  const command = `${process.execPath} ${commandFor(host.env)}`;
  const pane = terminal
    .tmux(
      ...["new-session", "-d", "-P", "-F", "#{pane_id}", "-s", "me", "-x", "160", "-y", "30"],
      ...paneVariables(host.env),
      ...["-c", host.work, `${command} top --fleet; echo left: $?; exec cat`],
    )
    .trim();
  const screen = () => terminal.tmux("capture-pane", "-p", "-t", pane);
  return {
    screen,
    press: (...keys: string[]) => void terminal.tmux("send-keys", "-t", pane, ...keys),
    isAlternate: () => terminal.tmux("display-message", "-p", "-t", pane, "#{alternate_on}").trim() === "1",
    sees: (text: RegExp) =>
      until(`${text}`, () => text.test(screen())).catch((error) => {
        throw new Error(`${error.message}\n${screen()}`);
      }),
  };
}

test("an agent of another host is a row that changes, is asked and written to, and stays when its host is gone", async () => {
  const [alpha, beta] = [farHost(servers, "alpha"), farHost(servers, "beta")];
  hivemind(beta, ["hooks", "install"]);
  const agent = await farAgent(beta, "lead");
  const worker = await farWatch(beta);
  await allows(beta, "approve", "alpha");
  const top = openTop(alpha);
  await top.sees(/@beta +reached \d+s ago/);
  await top.sees(/○ lead +idle +\d+s old/);

  agent.type("go [ask]\r");
  await top.sees(/\? lead +waiting +\d+s old/);
  await top.sees(/1 waiting there/);
  top.press("a");
  await top.sees(/lead@beta asks to use Bash:\s+touch demo[\s\S]*Approve this\?/);
  expect(JSON.stringify(agent.transcript())).not.toContain('"decision":"allow"');
  top.press("y");
  await top.sees(/beta: lead: approved Bash: touch demo/);
  await top.sees(/○ lead +idle/);

  top.press("Enter");
  await top.sees(/its pane is on beta/);
  top.press("s");
  await top.sees(/to lead@beta:/);
  top.press("-l", "hello from alpha");
  top.press("Enter");
  await until("the message", () => JSON.stringify(agent.transcript()).includes("hello from alpha"));

  await worker.kill();
  await top.sees(/@beta +not reached for \d+s/);
  await top.sees(/· lead +was \w+ +\d+s old/);
  top.press("q");
  await top.sees(/left: 0/);
  expect(top.isAlternate()).toBe(false);
});

test("without its server top keeps the rows and says so, and goes on when the server is back", async () => {
  const own = await testServers();
  const [gamma, delta] = [farHost(own, "gamma"), farHost(own, "delta")];
  await farAgent(delta, "scout");
  await farWatch(delta);
  const top = openTop(gamma);
  await top.sees(/○ scout +idle/);
  await own.kill(0);
  await top.sees(/ fleet: /);
  await top.sees(/@delta +no connection; last sign/);
  expect(top.screen()).toMatch(/scout +idle/);
  await own.start(0);
  await top.sees(/@delta +reached \d+s ago/);
  expect(top.screen()).not.toContain("fleet:");
});
