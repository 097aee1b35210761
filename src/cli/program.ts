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
import { allOptions, type Command, type Input, type Option, spellings } from "./command.js";
import { type CommandRow, defaultRow, rows } from "./command-table.js";
import { groups, oldGroups } from "./groups.js";
import type { Output } from "./output.js";

/** Runs what was typed behind this name of the program; resolves to the exit code. */
export async function runProgram(cli: Cli, argv: readonly string[], name = "hivemind"): Promise<ExitCode> {
  if (argv[0] === "__complete") return propose(cli, argv.slice(1));
  if (argv[0] === "__moving") return (await import("./team/serve-far.js")).serveFar(cli);
  const verbs = verbsPage(name, argv);
  if (verbs !== null) return showVerbs(cli, name, verbs);
  let exitCode: ExitCode = exitCodes.done;
  const words = expandAliases(applyProgramName(name, argv));
  const program = await buildProgram(cli, words, async (command, input) => {
    const isFar = words.some((word) => word.lastIndexOf("@") > 0);
    const run = isFar ? (await import("./far/own-names.js")).runCommand : runHere;
    exitCode = (await run(cli, command, input)) || exitCodes.done;
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

/** Nothing that was typed can name another host. */
async function runHere(cli: Cli, command: Command, input: Input): Promise<ExitCode | undefined> {
  return (await command.run(cli, input)) || undefined;
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
  const { commands } = await import("./commands.js");
  for (const { word, about } of await candidates(commands, groups, typed, liveValues(cli))) {
    cli.out.print(`${word}\t${about}`);
  }
  return exitCodes.done;
}

/** Only for the lists: what is typed behind it is spelled out before. */
const helpCommand = ["help [command]", "help for a command"] as const;

type Run = (command: Command, input: Input) => Promise<void>;

/** Has the typed command or group; for every other word it has the list of all commands, for the page and for what is near. */
async function buildProgram(cli: Cli, words: readonly string[], run: Run): Promise<Commander> {
  const program = openProgram(cli);
  // With an action of its own the root would take an unknown command for an argument, and not say what is near it.
  if (words.every((word) => word.startsWith("-"))) {
    const { options } = defaultRow;
    addOptions(cli, program, options);
    program.allowExcessArguments(false).action(async () => {
      const command = await defaultRow.load();
      return run(command, inputOf(command, [], program.opts()));
    });
    if (words.every((word) => options.some(({ name }) => word === `--${name}`))) return program;
  }
  const first = words[0] === "--" ? words[1] : words[0];
  const near = rows.flatMap((row) => spelledWith(first, row));
  if (near.length === 0) listAll(program);
  else await addCommands(cli, program, near, words, run);
  return program;
}

/** A row as spelled with this first word. */
interface Spelled {
  row: CommandRow;
  first: string;
  second?: string;
}

function spelledWith(typed: string | undefined, row: CommandRow): Spelled[] {
  return spellings(row).flatMap((words) => {
    const [first, second] = words.split(" ") as [string, string?];
    return first === typed ? { row, first, ...(second !== undefined && { second }) } : [];
  });
}

function openProgram(cli: Cli): Commander {
  return (
    createCommand("hivemind")
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
      )
  );
}

/** What the help page prints of each first word. */
function listAll(program: Commander): void {
  const listed = new Set<string>();
  for (const { words, section } of rows) {
    const [first] = words.split(" ") as [string];
    if (listed.has(first)) continue;
    listed.add(first);
    const row = rows.find((each) => each.words === first);
    const target = openGroup(program, first) ?? program.command(first);
    addArguments(target, row?.args);
    target.description(row?.about ?? groups[first]!).helpGroup(`${section}:`);
  }
}

/** Loads the commands whose words were all typed. Of the others in their group the page prints a line. */
async function addCommands(
  cli: Cli,
  program: Commander,
  near: readonly Spelled[],
  words: readonly string[],
  run: Run,
): Promise<void> {
  let parent: Commander | null = null;
  for (const { row, first, second } of near) {
    parent ??= openGroup(program, first);
    // A group can be a command itself: `sessions`, and `sessions show`.
    const target = second === undefined ? (parent ?? program.command(first)) : parent!.command(second);
    if (second === undefined || words.includes(second)) fill(cli, target, await row.load(), run);
    else addArguments(target.description(row.about), row.args);
    if (second === undefined && parent !== null) refuseUnknownWords(parent);
  }
}

/** Null for a word that stands alone. */
function openGroup(program: Commander, name: string): Commander | null {
  const about = groups[name] ?? oldGroups[name];
  if (about === undefined) return null;
  return program
    .command(name)
    .description(about)
    .helpCommand(...helpCommand)
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError(`Type \`hivemind ${name} --help\` for its commands.`);
}

/** Without commander's "[options]" behind every name. */
function term(command: Commander): string {
  const args = command.registeredArguments.map((each) =>
    each.required ? `<${each.name()}>` : `[${each.name()}]`,
  );
  return [command.name(), ...args].join(" ");
}

function fill(cli: Cli, target: Commander, command: Command, run: Run): void {
  const args = command.args ?? [];
  target
    .description(command.about)
    .showHelpAfterError(`Type \`hivemind ${command.words} --help\` for its arguments and examples.`)
    .allowExcessArguments(false);
  addArguments(target, args);
  addOptions(cli, target, allOptions(command));
  target.addHelpText("after", () => helpTail(command, cli.out));
  target.action((...received: unknown[]) => {
    const typed = target.args.length === 0 ? [] : received.slice(0, args.length);
    return run(command, inputOf(command, typed, target.opts()));
  });
}

function addArguments(target: Commander, args: Command["args"] = []): void {
  for (const { name, about, isOptional, takesRest } of args) {
    const inner = takesRest ? `${name}...` : name;
    target.argument(isOptional ? `[${inner}]` : `<${inner}>`, about);
  }
}

function addOptions({ env }: Cli, target: Commander, options: readonly Option[]): void {
  for (const option of options) {
    const short = option.short ? `-${option.short}, ` : "";
    const value = option.value ? ` <${option.value}>` : "";
    const added = createOption(`${short}--${option.name}${value}`, option.about);
    // A flag whose name begins with no- is a flag like any other.
    added.negate = false;
    if (option.isMany) added.argParser((each, before?: string[]) => [...(before ?? []), each]);
    if (option.meaning === "path") added.argParser((path) => fromHome(path, env.HOME));
    target.addOption(added);
  }
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
