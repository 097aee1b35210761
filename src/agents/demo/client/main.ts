// The demo agent: behaves like the real client as far as anybody outside can see, with no account and no network.
//
// [DE1] Without CLAUDE_CONFIG_DIR it refuses to start: a stand-in must never write into somebody's real ~/.claude.
// [DE2] Without a terminal it refuses to start, unless it is asked to print.

import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { HiveError } from "../../../base/errors.js";
import { readArguments } from "./arguments.js";
import { gitBranch } from "./git-branch.js";
import { readKnobs, traitsOf } from "./knobs.js";
import { openConversation } from "./opening.js";
import { printAnswer } from "./print.js";
import { Program } from "./program.js";
import { Session } from "./session.js";
import { readSettings } from "./settings.js";

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
  const rules = { failsResume: knobs.failsResume };
  const session = new Session(openConversation(launch, place, rules), {
    place,
    knobs,
    traits,
    gitBranch: gitBranch(place.cwd),
    permissionMode: launch.permissionMode,
    isInteractive: !launch.isPrint,
  });
  const source = launch.resume === null ? "startup" : "resume";
  if (launch.isPrint) await printAnswer(launch, session, settings, source);
  else new Program(session, settings, launch.model).start(launch, source);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof HiveError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
