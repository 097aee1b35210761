// The worker holds the requests of sub-agents: real hooks, a real worker process, and a kill at any moment.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { hookCommand } from "../../src/agents/claude/hooks/handler.js";
import { requestHandler } from "../../src/agents/claude/hooks/request-handler.js";
import { findProcess } from "../../src/base/system/processes.js";
import type { Fleet } from "../../src/fleet/observe.js";
import type { FleetPane } from "../../src/fleet/panes.js";
import { requestsOf } from "../../src/fleet/requests.js";
import { openStores } from "../../src/stores/stores.js";
import { openHolder } from "../../src/watch/hold-requests.js";
import { testHome, until } from "../home.js";

const nothing = { panes: [], background: [], clients: [] } as unknown as Fleet;

function open() {
  const home = testHome();
  const stores = openStores(home.env);
  stores.hookReports.placeHandlers([requestHandler]);
  const ask = (agentId: string | null = "a1") => {
    const command = hookCommand(stores.hookReports.folder, "PermissionRequest");
    const child = spawn("sh", ["-c", command], { env: home.env, stdio: ["pipe", "ignore", "ignore"] });
    const sub = agentId === null ? {} : { agent_id: agentId };
    child.stdin.end(JSON.stringify({ tool_name: "Bash", tool_input: { command: "make" }, ...sub }));
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = new Promise<boolean>((end) => child.on("exit", () => end(true)));
    const isWaiting = () => child.exitCode === null && child.signalCode === null;
    return { ended, isWaiting };
  };
  /** As the look of a client that asks, in a pane that somebody looks at or not. */
  const fleet = (isLookedAt: boolean) => {
    const requests = requestsOf(
      stores.requests.read(),
      { kind: "demo", process: { pid: process.pid }, live: null },
      { findProcess },
    );
    const seen = { sessionAttached: isLookedAt ? 1 : 0, windowActive: true, paneActive: true };
    const pane = { kind: "demo", folder: home.claude, ...seen, requests } as unknown as FleetPane;
    return { ...nothing, panes: [pane] };
  };
  const openCount = () => stores.requests.read().length;
  return { home, stores, ask, fleet, openCount };
}

/** Longer than a hook waits that nobody holds. */
const longer = () => new Promise((rest) => setTimeout(rest, 3_000));

test("[HR2] a sub-agent's hook waits while nobody looks at its pane, and is let go when somebody does", async () => {
  const { stores, ask, fleet, openCount } = open();
  const holder = openHolder(stores);
  onTestFinished(() => holder.letGo());
  holder.update(nothing);
  const [first, own] = [ask(), ask(null)];
  await until("both requests", () => openCount() === 2);
  await longer();
  holder.update(fleet(false));
  expect([first.isWaiting(), own.isWaiting()]).toEqual([true, true]);
  holder.update(fleet(true));
  expect(await first.ended).toBe(true);
  expect(own.isWaiting()).toBe(true);
  holder.letGo();
  expect(await ask().ended).toBe(true);
});

test("[HR1] a killed worker lets every hook go at once", async () => {
  const { home, ask, openCount } = open();
  const program = join(home.root, "worker.mjs");
  await build({
    stdin: {
      contents: `import { openHolder } from "./src/watch/hold-requests.ts"; import { openStores } from "./src/stores/stores.ts";
        openHolder(openStores(process.env)).update({ panes: [], background: [], clients: [] }); setInterval(() => {}, 1e6);
        console.log("holds");`,
      resolveDir: process.cwd(),
    },
    ...{ outfile: program, bundle: true, platform: "node", format: "esm", logLevel: "error" },
    banner: {
      js: 'import { createRequire as made } from "node:module"; const require = made(import.meta.url);',
    },
    define: { HIVEMIND_VERSION: '"test"' },
  });
  writeFileSync(join(home.root, "package.json"), "{}");
  const worker = spawn(process.execPath, [program], { env: home.env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void worker.kill("SIGKILL"));
  await new Promise((holds) => worker.stdout.once("data", holds));
  const hooks = [ask("a1"), ask("a2")];
  await until("both requests", () => openCount() === 2);
  await longer();
  expect(hooks.map(({ isWaiting }) => isWaiting())).toEqual([true, true]);
  worker.kill("SIGKILL");
  expect(await Promise.all(hooks.map(({ ended }) => ended))).toEqual([true, true]);
  expect(await ask("a3").ended).toBe(true);
});
