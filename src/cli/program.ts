// Builds the command line from the list of commands, and runs it.
//
// Help, usage errors and completion come from the commands' own data, so they cannot drift from them. Results go to
// stdout, everything else to stderr: what a caller captures is never an error text. Wrong usage is exit code 2, says
// what is wrong and what to type. An option that is a path may begin with `~`: no shell reads what stands behind its
// `=`.

import { type Command as Commander, CommanderError, createCommand, createOption } from "commander";
import { type ExitCode, exitCodes, UsageError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { textTable } from "../base/text/table.js";
import { fromHome } from "../names/home-path.js";
import { applyProgramName, expandAliases, verbsPage } from "./aliases.js";
import type { Cli } from "./command.js";
import { allOptions, type Command, type Input, spellings } from "./command.js";
import { commands, defaultCommand, groups, oldGroups, sections } from "./commands.js";
import type { Output } from "./output.js";

/** Runs what was typed behind this name of the program; resolves to the exit code. */
export async function runProgram(cli: Cli, argv: readonly string[], name = "hivemind"): Promise<ExitCode> {
  if (argv[0] === "__complete") return propose(cli, argv.slice(1));
  if (argv[0] === "__moving") return (await import("./team/serve-far.js")).serveFar(cli);
  const verbs = verbsPage(name, argv);
  if (verbs !== null) return showVerbs(cli, name, verbs);
  let exitCode: ExitCode = exitCodes.done;
  const words = expandAliases(applyProgramName(name, argv));
  // With an action of its own the root would take an unknown command for an argument, and not say what is near it.
  const isBare = words.every((word) => word.startsWith("-"));
  const program = buildProgram(cli, isBare, commandsFor(words[0]), async (command, input) => {
    exitCode = (await command.run(cli, input)) || exitCodes.done;
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
  const { candidates, liveValues } = await import("./completion/complete.js");
  for (const { word, about } of await candidates(commands, groups, typed, liveValues(cli))) {
    cli.out.print(`${word}\t${about}`);
  }
  return exitCodes.done;
}

/** Only for the lists: what is typed behind it is spelled out before. */
const helpCommand = ["help [command]", "help for a command"] as const;

type Run = (command: Command, input: Input) => Promise<void>;

/** Those that begin with this word; all of them where none does, for the list and for what is near. */
function commandsFor(first: string | undefined): readonly Command[] {
  const own = commands.filter((command) => spellings(command).some((words) => words.split(" ")[0] === first));
  return own.length === 0 ? commands : own;
}

function buildProgram(cli: Cli, isBare: boolean, known: readonly Command[], run: Run): Commander {
  const program = createCommand("hivemind")
    .description("The control plane for teams of coding agents in tmux.")
    .version(HIVEMIND_VERSION, "-V, --version", "the version of hivemind")
    // `help X` is spelled out before (aliases.ts).
    .helpCommand(false)
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
        "\n`hivemind COMMAND --help` prints its options and examples. Short forms: ls (status), attach (go), spawn, kill and logs (agent spawn, agent kill, agent monitor).",
      ),
    );
  if (isBare) fill(cli, program, defaultCommand, run);
  const parents = new Map<string, Commander>();
  for (const command of known) {
    for (const words of spellings(command)) {
      const [first, second] = words.split(" ") as [string, string?];
      const how = { hidden: words !== command.words };
      const parent = parents.get(first) ?? openGroup(program, first, how);
      if (parent !== null) parents.set(first, parent);
      // A group can be a command itself: `sessions`, and `sessions show`.
      const target = second === undefined ? (parent ?? program.command(first, how)) : parent!.command(second);
      if (second === undefined || parent!.commands.length === 1)
        (parent ?? target).helpGroup(`${sectionOf(command)}:`);
      fill(cli, target, command, run);
      if (second === undefined && parent !== null) refuseUnknownWords(parent);
    }
  }
  return program;
}

/** Null for a word that stands alone. */
function openGroup(program: Commander, name: string, how: { hidden: boolean }): Commander | null {
  const about = groups[name] ?? oldGroups[name];
  if (about === undefined) return null;
  return program
    .command(name, how)
    .description(about)
    .helpCommand(...helpCommand)
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError(`Type \`hivemind ${name} --help\` for its commands.`);
}

/** Under which heading of the help page it stands. */
function sectionOf(command: Command): string {
  return sections.find((section) => section.commands.includes(command))!.title;
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
