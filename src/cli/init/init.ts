import { exitCodes, HiveError, UsageError } from "../../base/errors.js";
import { shellWord } from "../../base/text/shell-word.js";
import { kindsInWords, paneKinds } from "../../names/kind.js";
import { type Command, type Input, yesOption } from "../command.js";
import { type Output, shown } from "../output.js";

export const init: Command = {
  words: "init",
  about: "write a team file, hivemind.yaml, for this folder",
  options: [
    { name: "project", value: "id", about: "the project id (default: this folder's name)" },
    { name: "session", value: "name", about: "the tmux session (default: the project id)" },
    { name: "agents", value: "ids", about: "the agents, separated by commas (default: lead,dev)" },
    { name: "model", value: "model", about: "the model they start with (default: the client's)" },
    {
      name: "kind",
      value: "kind",
      about: kindsInWords(paneKinds),
      choices: paneKinds,
    },
    { name: "layout", value: "layout", about: "how tmux arranges the panes (default: tiled)" },
    {
      name: "from",
      value: "team",
      about: "copy roles, folders, models and kinds from a running team",
      meaning: "team",
    },
    { name: "force", about: "replace an existing team file" },
    { name: "allow-broad-cwd", about: "allow / and the home folder as work folders" },
    yesOption("ask nothing; use the options and defaults"),
    { name: "keys", about: "only list the keys of a team file" },
    { name: "schema", about: "only print the JSON schema of a team file, for editors" },
  ],
  examples: [
    "hivemind init",
    "hivemind init --project web4 --agents lead,builder,reviewer --model opus",
    "hivemind init --from web4team",
    "hivemind init --schema > hivemind.schema.json",
  ],
  notes:
    "At a terminal, asks for the project, the agents and the model unless an option sets them. Elsewhere, and with --yes,\n" +
    "it uses the defaults.\n" +
    "With --from the file says `running: adopt`: `hivemind up` adopts the running agents, each in its conversation.\n" +
    "Save the schema to a file and put `# yaml-language-server: $schema=PATH` first in the team file: editors then\n" +
    "complete and check it.",
  async run(cli, input) {
    if (input.flag("schema")) return showSchema(cli.out);
    if (input.flag("keys")) return showKeys(cli.out);
    refuseBoth(input);
    const { currentWorkspace } = await import("../workspace.js");
    const { workFolder } = await import("../../teams/start/broad-folder.js");
    // Every folder below would find this file, and `up` would refuse to start agents here.
    const folder = workFolder(
      currentWorkspace().path,
      cli.env,
      input.flag("allow-broad-cwd"),
      "go to a project's folder first, or use --allow-broad-cwd",
    );
    const { wantedTeam } = await import("./init-answers.js");
    const { placeFile, standingFile } = await import("../../teamfile/find-team-file.js");
    const standing = standingFile(folder);
    if (standing !== null && !input.flag("force")) {
      throw new HiveError(`there is already a team file: ${standing}`, {
        hint: `to replace it: ${cli.self} init --force`,
      });
    }
    const team = await wantedTeam(cli, input, folder);
    if (team === null) {
      cli.out.note("hivemind: nothing was written");
      return exitCodes.refused;
    }
    const { writeTeamFile } = await import("../../teamfile/write-team-file.js");
    const path = placeFile(folder, standing, writeTeamFile(team));
    const ids = team.agents.map(({ id }) => id).join(", ");
    cli.out.print(`wrote ${shown(path)}: ${team.project} with ${ids}`);
    cli.out.print("next, see the plan and start the team:");
    for (const next of ["plan", "up"]) cli.out.print(`  ${cli.self} ${next}`);
  },
};

function refuseBoth(input: Input): void {
  const clash = ["agents", "model", "kind"].find((name) => input.option(name) !== undefined);
  if (input.option("from") === undefined || clash === undefined) return;
  throw new UsageError(`--from copies the running agents, so --${clash} cannot be used with it`, {
    hint: `edit the file afterwards: hivemind init --from ${shellWord(input.option("from")!)}`,
  });
}

async function showSchema(out: Output): Promise<undefined> {
  const { teamFileSchema } = await import("../../teamfile/schema.js");
  out.print(JSON.stringify(teamFileSchema, null, 2));
  return undefined;
}

async function showKeys(out: Output): Promise<undefined> {
  const { keys, placesOf, valuesOf } = await import("../../teamfile/keys.js");
  for (const key of keys) {
    out.print(`${out.colours.bold(key.name)}: ${key.example}  (${placesOf(key)})`);
    out.print(`    ${key.about}`);
    const values = valuesOf(key);
    if (values !== null) out.print(`    one of: ${values}`);
    if (key.standard !== null) out.print(`    default: ${key.standard}`);
  }
  return undefined;
}
