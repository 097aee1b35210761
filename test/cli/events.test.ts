import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hivemind, mainProgram } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";

function logged(count: number): TestHome {
  const home = testHome();
  mkdirSync(home.config);
  const row = (_: unknown, at: number) => `2026-01-01T00:00:00Z|team.created|team${at + 1} \\e\n`;
  writeFileSync(join(home.config, "hivemind.events.log"), Array.from({ length: count }, row).join(""));
  return home;
}

test("--follow begins with the last ten events, or as many as -n says; an empty description prints nothing", async () => {
  const home = logged(12);
  const { stdout } = hivemind(home, ["events"]);
  expect(stdout.split("\n")[0]).toBe("2026-01-01T00:00:00Z team.created team1");
  const follow = async (...args: string[]) => {
    const child = spawn(process.execPath, [mainProgram, "events", "-f", ...args], { env: home.env });
    const ended = new Promise((resolve) => child.on("exit", resolve));
    onTestFinished(() => void child.kill("SIGKILL"));
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (printed += text));
    await until("the last event", () => printed.includes("team12\n"));
    child.kill("SIGINT");
    await ended;
    return printed.trimEnd().split("\n").length;
  };
  expect(await Promise.all([follow(), follow("-n", "2"), follow("-n", "100")])).toEqual([10, 2, 12]);
});
