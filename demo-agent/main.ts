// The demo agent: behaves like the real client as far as it is visible from outside, without an account or a
// network.
//
// - It refuses to start without CLAUDE_CONFIG_DIR: it must never write into a real ~/.claude.
// - It refuses to start without a terminal, except with `--print`.

import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { HiveError } from "../src/base/errors.js";
import { readArguments } from "./arguments.js";
import { gitBranch } from "./files/git-branch.js";
import { readSettings } from "./files/settings.js";
import { readKnobs, traitsOf } from "./knobs.js";
import { openConversation } from "./opening.js";
import { printAnswer } from "./print.js";
import { Program } from "./program.js";
import { Session } from "./session.js";

async function main(): Promise<void> {
  const { env, argv, stdin, stdout } = process;
  const knobs = readKnobs(env);
  const launch = readArguments(argv.slice(2));
  if (launch.showsVersion) {
    stdout.write(`${knobs.version} (Claude Code)\n`);
    return;
  }
  if (!env.CLAUDE_CONFIG_DIR) {
    throw new HiveError(
      "Error: the demo agent needs CLAUDE_CONFIG_DIR, so that it never writes into a real ~/.claude",
    );
  }
  if (knobs.crashesOnStart) throw new HiveError("Error: crashed on start, as DEMO_CRASH_ON_START asks");
  if (!launch.isPrint && !(stdin.isTTY && stdout.isTTY)) {
    throw new HiveError("Error: the demo agent needs a terminal, or --print");
  }
  if (knobs.crashAfterMs > 0) setTimeout(() => process.exit(1), knobs.crashAfterMs).unref();
  if (knobs.startMs > 0) await pause(knobs.startMs);
  const traits = traitsOf(knobs.version);
  const place = { configDir: resolve(env.CLAUDE_CONFIG_DIR), cwd: process.cwd() };
  const settings = readSettings(place.configDir, launch.settings);
  const session = new Session(openConversation(launch, place, knobs), {
    place,
    knobs,
    traits,
    gitBranch: gitBranch(place.cwd),
    permissionMode: launch.permissionMode,
    isInteractive: !launch.isPrint,
  });
  const source = launch.resume === null ? "startup" : "resume";
  if (launch.isPrint) await printAnswer(launch, session, settings, source);
  else await new Program(session, settings, launch.model).start(launch, source);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof HiveError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
