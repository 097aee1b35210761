// Builds the command line from the list of commands, and runs it.
//
// [C1] Help, usage errors and completion come from the commands' own data, so they cannot drift from them.
// [C2] Results go to stdout, everything else to stderr: what a caller captures is never an error text.
// [C3] Wrong usage is exit code 2, says what is wrong and what to type.
// [C4] An option that is a path may begin with `~`: no shell reads what stands behind its `=`.

import { type Command as Commander, CommanderError, createCommand, createOption } from "commander";
import { type ExitCode, exitCodes, UsageError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { textTable } from "../base/table.js";
import { fromHome } from "../names/home-path.js";
import { calledAs, spelledOut, verbsPage } from "./aliases.js";
import type { Cli } from "./cli.js";
import { allOptions, type Command, type Input } from "./command.js";
import { commands, defaultCommand, groups } from "./commands.js";
import type { Output } from "./output.js";

/** Runs what was typed behind this name of the program; resolves to the exit code. */
export async function runProgram(cli: Cli, argv: readonly string[], name = "hivemind"): Promise<ExitCode> {
  if (argv[0] === "__complete") return propose(cli, argv.slice(1));
  if (argv[0] === "__moving") return (await import("./moving-far.js")).serveFar(cli);
  const verbs = verbsPage(name, argv);
  if (verbs !== null) return showVerbs(cli, name, verbs);
  let exitCode: ExitCode = exitCodes.done;
  const words = spelledOut(calledAs(name, argv));
  // With an action of its own the root would take an unknown command for an argument, and not say what is near it.
  const isBare = words.every((word) => word.startsWith("-"));
  const program = buildProgram(cli, isBare, async (command, input) => {
    exitCode = (await command.run(cli, input)) ?? exitCodes.done;
  });
  try {
    await program.parseAsync([...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has printed help or version already; these are answers, everything else is wrong usage. A group alone is
    // no command: its page stands on stderr then.
    if (error.code === "commander.help") return exitCodes.usage;
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
  return exitCode;
}

function showVerbs({ out }: Cli, name: string, verbs: readonly string[][]): ExitCode {
  out.print(`${name} is another name of hivemind. Its verbs, and what they are here:`);
  out.lines(textTable(verbs).map((line) => `  ${line}`));
  out.print("Every other command: hivemind --help");
  return exitCodes.done;
}

/** For the shells' completion scripts: a word and what it is, one a line. A failure proposes nothing. */
async function propose(cli: Cli, typed: readonly string[]): Promise<ExitCode> {
  const { candidates } = await import("./complete.js");
  const { liveValues } = await import("./live-values.js");
  for (const { word, about } of await candidates(commands, groups, typed, liveValues(cli))) {
    cli.out.print(`${word}\t${about}`);
  }
  return exitCodes.done;
}

/** Only for the lists: what is typed behind it is spelled out before. */
const helpCommand = ["help [command]", "help for a command"] as const;

type Run = (command: Command, input: Input) => Promise<void>;

function buildProgram(cli: Cli, isBare: boolean, run: Run): Commander {
  const program = createCommand("hivemind")
    .description("Teams of coding agents in tmux: which conversation is in which pane, and what it is doing.")
    .version(HIVEMIND_VERSION, "-V, --version", "the version of hivemind")
    .helpCommand(...helpCommand)
    .enablePositionalOptions()
    // Commander gives up where it has less than forty columns for what an option means.
    .configureHelp({ subcommandTerm: term, minWidthToWrap: 20 })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => cli.out.write(text),
      writeErr: (text) => cli.out.note(text.trimEnd().split("\n").map(harmless).join("\n")),
      outputError: (text, write) => write(text.replace(/^error: /, "hivemind: ")),
    })
    .showHelpAfterError("Type `hivemind --help` for the commands.")
    .addHelpText("after", () =>
      cli.out.inWidth(
        "\nEvery command also in its dotted form (team.list). `hivemind COMMAND --help` has examples.",
      ),
    );
  if (isBare) fill(cli, program, defaultCommand, run);
  const parents = new Map(
    Object.entries(groups).map(([name, about]) => [
      name,
      program
        .command(name)
        .description(about)
        .helpCommand(...helpCommand)
        .enablePositionalOptions()
        .exitOverride()
        .showHelpAfterError(`Type \`hivemind ${name} --help\` for its commands.`),
    ]),
  );
  for (const command of commands) {
    const [first, second] = command.words.split(" ");
    const group = parents.get(first!);
    // A group can be a command itself: `sessions`, and `sessions show`.
    const target = second === undefined ? (group ?? program.command(first!)) : group!.command(second);
    fill(cli, target, command, run);
    if (second === undefined && group !== undefined) refuseUnknownWords(group);
  }
  return program;
}

/** Without commander's "[options]" behind every name. */
function term(command: Commander): string {
  const args = command.registeredArguments.map((each) =>
    each.required ? `<${each.name()}>` : `[${each.name()}]`,
  );
  return [command.name(), ...args].join(" ");
}

function fill({ env, out }: Cli, target: Commander, command: Command, run: Run): void {
  const args = command.args ?? [];
  const isRoot = command === defaultCommand;
  if (!isRoot) {
    target.description(command.about);
    target.showHelpAfterError(`Type \`hivemind ${command.words} --help\` for its arguments and examples.`);
  }
  target.allowExcessArguments(false);
  for (const { name, about, isOptional, takesRest } of args) {
    const inner = takesRest ? `${name}...` : name;
    target.argument(isOptional ? `[${inner}]` : `<${inner}>`, about);
  }
  for (const option of allOptions(command)) {
    const short = option.short ? `-${option.short}, ` : "";
    const value = option.value ? ` <${option.value}>` : "";
    const added = createOption(`${short}--${option.name}${value}`, option.about);
    if (option.isMany) added.argParser((each, before?: string[]) => [...(before ?? []), each]);
    if (option.meaning === "path") added.argParser((path) => fromHome(path, env.HOME));
    target.addOption(added);
  }
  if (!isRoot) target.addHelpText("after", () => helpTail(command, out));
  target.action((...received: unknown[]) => {
    const typed = target.args.length === 0 ? [] : received.slice(0, args.length);
    return run(command, inputOf(command, typed, target.opts()));
  });
}

/** Commander would say that there are too many arguments. */
function refuseUnknownWords(group: Commander): void {
  group.allowExcessArguments(true).hook("preAction", (_, action) => {
    if (action === group && group.args.length > 0) {
      group.error(`error: unknown command '${group.args[0]}' of ${group.name()}`, {
        exitCode: exitCodes.usage,
      });
    }
  });
}

function helpTail({ examples, notes }: Command, out: Output): string {
  const heading = examples.length > 1 ? "Examples" : "Example";
  const lines = [`\n${heading}:`, ...examples.map((example) => `  ${example}`)];
  return [...lines, ...(notes ? ["", out.inWidth(notes)] : [])].join("\n");
}

function inputOf(command: Command, received: readonly unknown[], options: Record<string, unknown>): Input {
  const byName = new Map<string, string>();
  const words = new Map<string, readonly string[]>();
  for (const [place, { name }] of (command.args ?? []).entries()) {
    const value = received[place];
    if (Array.isArray(value)) words.set(name, value);
    if (Array.isArray(value) && value.length > 0) byName.set(name, value.join(" "));
    if (typeof value === "string") byName.set(name, value);
  }
  const option = (name: string) =>
    options[name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
  return {
    arg: (name) => byName.get(name),
    words: (name) => words.get(name) ?? [],
    need: (name) => byName.get(name) ?? missing(command, name),
    option: (name) => option(name) as string | undefined,
    options: (name) => (option(name) ?? []) as string[],
    flag: (name) => option(name) === true,
  };
}

function missing(command: Command, name: string): never {
  throw new UsageError(`${command.words} needs ${name.toUpperCase()}`, {
    hint: `hivemind ${command.words} --help`,
  });
}
