import type { Check } from "../doctor/check.js";
import type { Cli } from "./cli.js";
import type { Command } from "./command.js";
import { findingLines } from "./show-findings.js";

export const doctor: Command = {
  words: "doctor",
  about: "what is installed, what works here, what is odd, and what to do about it",
  options: [{ name: "probe", about: "also try the installed client out, in a home that is thrown away" }],
  examples: ["hivemind doctor", "hivemind doctor --probe", "hivemind doctor --json"],
  notes:
    "Looking changes nothing. The probe starts the `claude` of your PATH once, for some seconds, on a tmux server of\n" +
    "its own and with a temporary home: no account, no network, no prompt, and nothing is left behind.\n" +
    "Exit codes: 0 no problem, 1 problems found, 3 nothing could be looked at.",
  hasJson: true,
  async run(cli, input) {
    const { checks } = await import("../doctor/checks.js");
    const { examine, exitCodeOf } = await import("../doctor/examine.js");
    const { openWorld } = await import("../doctor/world.js");
    const asked = input.flag("probe") ? [...checks, await probe(cli)] : checks;
    const { findings, summary } = await examine(asked, openWorld({ env: cli.env }));
    if (input.flag("json")) cli.out.json({ findings, summary });
    else cli.out.lines(findingLines(findings, summary, cli.out.colours));
    return exitCodeOf(summary);
  },
};

async function probe(cli: Cli): Promise<Check> {
  const { probeCheck } = await import("../doctor/probe.js");
  return probeCheck({ interrupted: cli.untilInterrupted(), onProgress: cli.out.progress });
}
