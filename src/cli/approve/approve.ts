// The commands that answer an agent.

import { type ExitCode, UsageError } from "../../base/errors.js";
import type { Argument, Cli, Command, Input, Option } from "../command.js";
import { takingHosts } from "../far/also-far.js";
import { hereOrThere } from "../far/open-far.js";
import { nameArgument, teamOption } from "../named-agent.js";
import type { Wish } from "./answer.js";

const askerArgument: Argument = {
  ...takingHosts(nameArgument),
  about: "a role, team:window.pane, tmux %id, @agent-id, or a request's id (req-…)",
};

const byHook =
  "If the client's hooks are installed (`hivemind hooks install`), the answer goes to the hook that waits beside the\n" +
  "client's dialog, and the conversation proves it. Otherwise hivemind moves the dialog's cursor with arrow keys, and\n" +
  "presses Enter only once the screen shows it there. Only a person may use this command. NAME@HOST is on another host of\n" +
  "the fleet, which must allow it (`hivemind fleet allow approve`); the request is printed first.";

const ruleOption: Option = {
  name: "rule",
  value: "number",
  about: "with --always: which of the client's suggestions to add",
};

export const approve: Command = {
  words: "approve",
  about: "answer yes to an agent's request",
  args: [{ ...askerArgument, isOptional: true }],
  options: [
    { name: "always", about: "also add the rule that the client suggests, so that it does not ask again" },
    ruleOption,
    { name: "all", about: "approve every open request; shows each of them, and asks" },
    teamOption,
  ],
  examples: [
    "hivemind approve tester",
    "hivemind approve req-k3j5n2ab",
    "hivemind approve tester --always",
    "hivemind approve --all",
    "hivemind approve tester@server",
  ],
  asks: "approves several requests",
  notes:
    `${byHook}\nWithout --always it answers this one request. --always prints the rule and works for one request only.\n` +
    "--all leaves out requests with characters that could hide something.",
  async run(cli, input) {
    if (input.flag("all")) {
      if (input.arg("name") !== undefined || input.flag("always"))
        throw new UsageError("--all takes no NAME and no --always", { hint: "hivemind approve --all" });
      return (await import("./approve-all.js")).approveAll(cli, input);
    }
    const rule = ruleIn(input);
    return answering(cli, input, { kind: "approve", isAlways: input.flag("always"), rule }, approve);
  },
};

export const reject: Command = {
  words: "reject",
  about: "answer no to an agent's request",
  args: [
    askerArgument,
    { name: "reason", about: "what the agent should do instead", isOptional: true, takesRest: true },
  ],
  options: [teamOption],
  examples: ["hivemind reject tester", "hivemind reject tester use the staging database"],
  notes: `${byHook}\nThrough the hook the agent hears the reason and goes on. By key its turn ends, and it waits for you.`,
  run: (cli, input) => answering(cli, input, { kind: "reject", reason: input.arg("reason") ?? null }, reject),
};

export const answer: Command = {
  words: "answer",
  about: "answer an agent's question",
  args: [
    askerArgument,
    {
      name: "answer",
      about: "an option's number (1,3 for several) or words; one per question, in quotes",
      takesRest: true,
    },
  ],
  options: [teamOption],
  examples: ["hivemind answer tester 2", 'hivemind answer tester 2 "the blue one, but darker"'],
  notes: `${byHook}\nWords of your own need the hook.`,
  run: (cli, input) => answering(cli, input, { kind: "answer", words: input.words("answer") }, answer),
};

export const dismiss: Command = {
  words: "dismiss",
  about: "close an agent's dialog with Escape",
  args: [askerArgument],
  options: [teamOption],
  examples: ["hivemind dismiss tester"],
  notes: "Presses Escape, and nothing while the agent is busy. Only a person may use this command.",
  run: (cli, input) => answering(cli, input, { kind: "dismiss" }, dismiss),
};

export const option: Command = {
  words: "option",
  about: "choose a numbered option of an agent's dialog",
  args: [takingHosts(nameArgument), { name: "number", about: "the number shown before the option" }],
  options: [teamOption],
  examples: ["hivemind option tester 2"],
  notes:
    "Moves the cursor to the option with arrow keys, and presses Enter only once the screen shows it there. Presses\n" +
    "nothing while the agent is busy. Only a person may use this command.",
  run(cli, input) {
    const typed = input.need("number");
    if (!/^[1-9]\d?$/.test(typed)) throw new UsageError(`"${typed}" is not an option number`);
    return answering(cli, input, { kind: "option", number: Number(typed) }, option);
  },
};

/** On the host that NAME says. */
function answering(cli: Cli, input: Input, wish: Wish, command: Command): Promise<ExitCode | undefined> {
  return hereOrThere<ExitCode | undefined>(cli, input, "name", {
    async here(own) {
      await (await import("./answer.js")).answerOne(cli, own, wish);
      return undefined;
    },
    there: async (far) => (await import("../far/act-far.js")).decideFar(cli, input, command, far),
  });
}

/** From 0; null without the option. */
function ruleIn(input: Input): number | null {
  const typed = input.option("rule");
  if (typed === undefined) return null;
  if (!input.flag("always")) throw new UsageError("--rule goes with --always");
  if (/^[1-9]\d?$/.test(typed)) return Number(typed) - 1;
  throw new UsageError(`--rule takes a number, not "${typed}"`);
}
