import { exitCodes, HiveError, UsageError } from "../base/errors.js";
import { shellWord } from "../base/shell-word.js";
import { type Command, type Input, yesOption } from "./command.js";
import { type Output, shown } from "./output.js";

export const init: Command = {
  words: "init",
  about: "write a team file, hivemind.yaml, for this folder",
  options: [
    { name: "project", value: "id", about: "the project's id; else this folder's name", meaning: "text" },
    { name: "session", value: "name", about: "the tmux session; else the project's id", meaning: "text" },
    {
      name: "agents",
      value: "ids",
      about: "the agents, with commas between; else lead,dev",
      meaning: "text",
    },
    {
      name: "model",
      value: "model",
      about: "the model they start with; else the client's own",
      meaning: "text",
    },
    {
      name: "kind",
      value: "kind",
      about: "claude (without it), demo or shell",
      choices: ["claude", "demo", "shell"],
    },
    { name: "layout", value: "layout", about: "how tmux arranges them; else tiled", meaning: "text" },
    {
      name: "from",
      value: "team",
      about: "what runs in this team: roles, folders, models, kinds",
      meaning: "team",
    },
    { name: "force", about: "in place of a team file that is there" },
    { name: "allow-broad-cwd", about: "also in / or the home folder" },
    yesOption("do not ask"),
    { name: "keys", about: "only show what may stand in a team file" },
    { name: "schema", about: "only print the JSON schema of a team file, for editors" },
  ],
  examples: [
    "hivemind init",
    "hivemind init --project web4 --agents lead,builder,reviewer --model opus",
    "hivemind init --from web4team",
    "hivemind init --schema > hivemind.schema.json",
  ],
  notes:
    "Asks at a terminal for the project, the agents and the model where no option says them; elsewhere, with --yes and\n" +
    "for all the rest, the options and what stands behind `else` decide.\n" +
    "With --from the file says `running: adopt`: `hivemind up` takes over who runs, each in its conversation.\n" +
    "With the schema in a file, `# yaml-language-server: $schema=PATH` as the first line of a team file lets editors\n" +
    "complete and check it.",
  async run(cli, input) {
    if (input.flag("schema")) return showSchema(cli.out);
    if (input.flag("keys")) return showKeys(cli.out);
    refuseBoth(input);
    const { workspaceHere } = await import("./here.js");
    const { workFolder } = await import("../teams/broad.js");
    // Every folder below would find the file, and `up` would not start anybody here.
    const folder = workFolder(
      workspaceHere().path,
      cli.env,
      input.flag("allow-broad-cwd"),
      "go to a project's folder first, or say --allow-broad-cwd",
    );
    const { wantedTeam } = await import("./init-answers.js");
    const { placeFile, standingFile } = await import("../teamfile/place-team-file.js");
    const standing = standingFile(folder);
    if (standing !== null && !input.flag("force")) {
      throw new HiveError(`there is a team file already: ${standing}`, {
        hint: `write a new one in its place: ${cli.self} init --force`,
      });
    }
    const team = await wantedTeam(cli, input, folder);
    if (team === null) {
      cli.out.note("hivemind: nothing was written");
      return exitCodes.refused;
    }
    const { writeTeamFile } = await import("../teamfile/write-team-file.js");
    const path = placeFile(folder, standing, writeTeamFile(team));
    const ids = team.agents.map(({ id }) => id).join(", ");
    cli.out.print(`wrote ${shown(path)}: ${team.project} with ${ids}`);
    cli.out.print("what it would do, and doing it:");
    for (const next of ["plan", "up"]) cli.out.print(`  ${cli.self} ${next}`);
    return undefined;
  },
};

function refuseBoth(input: Input): void {
  const clash = ["agents", "model", "kind"].find((name) => input.option(name) !== undefined);
  if (input.option("from") === undefined || clash === undefined) return;
  throw new UsageError(`--from takes what runs: --${clash} has nothing to say beside it`, {
    hint: `change the file afterwards: hivemind init --from ${shellWord(input.option("from")!)}`,
  });
}

async function showSchema(out: Output): Promise<undefined> {
  const { teamFileSchema } = await import("../teamfile/schema.js");
  out.print(JSON.stringify(teamFileSchema, null, 2));
  return undefined;
}

async function showKeys(out: Output): Promise<undefined> {
  const { keys, placesOf, valuesOf } = await import("../teamfile/keys.js");
  for (const key of keys) {
    out.print(`${out.colours.bold(key.name)}: ${key.example}  (${placesOf(key)})`);
    out.print(`    ${key.about}`);
    const values = valuesOf(key);
    if (values !== null) out.print(`    one of: ${values}`);
    if (key.standard !== null) out.print(`    without it: ${key.standard}`);
  }
  return undefined;
}
