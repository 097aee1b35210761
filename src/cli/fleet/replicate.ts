import { HiveError, UsageError } from "../../base/errors.js";
import { counted } from "../../base/text/counted.js";
import { type TeamName, teamName } from "../../names/gates.js";
import type { Cli, Command } from "../command.js";
import { ageText } from "../far/ages.js";
import { shown } from "../output.js";
import { needPerson } from "../person.js";

export const fleetReplicate: Command = {
  words: "fleet replicate",
  about: "copy a team to the fleet's server, so that another host can take it over",
  args: [{ name: "team", about: "a team of this host", meaning: "team", isOptional: true }],
  options: [
    { name: "all", about: "every team of this host, also later ones" },
    { name: "off", about: "stop copying" },
  ],
  examples: [
    "hivemind fleet replicate",
    "hivemind fleet replicate web4team",
    "hivemind fleet replicate web4team --off",
  ],
  notes:
    "Copies the saved team and its conversations whenever they change. Every member of the fleet can read them. The copy\n" +
    "of one conversation may have 256 MB, those of one host 1 GB. After --off the team is not offered any more; the server\n" +
    "drops the copied conversations within 30 days. Without a team: what is copied. Only a person may choose.",
  hasJson: true,
  async run(cli, input) {
    const hive = await cli.hive();
    const { needJoin } = await import("../../link/join.js");
    const { host } = needJoin(cli.env, hive.stores);
    const typed = input.arg("team");
    if (typed !== undefined && input.flag("all")) throw new UsageError("a team or --all, not both");
    if (typed === undefined && !input.flag("all") && !input.flag("off")) return list(cli, input.flag("json"));
    needPerson(cli, hive, await hive.panes());
    const value: TeamName | "*" = typed === undefined ? "*" : needTeam(typed, hive.stores.teams.read().rows);
    const isOff = input.flag("off");
    const { rows } = await hive.stores.fleetJoin.update((all) => [
      ...all.filter(
        (row) => row.what !== "replicate" || (isOff && value === "*" ? false : row.value !== value),
      ),
      ...(isOff ? [] : [{ what: "replicate" as const, value }]),
    ]);
    if (input.flag("json"))
      return cli.out.json({ replicated: rows.flatMap((row) => (row.what === "replicate" ? row.value : [])) });
    const what = value === "*" ? "every team of this host" : value;
    cli.out.print(
      isOff ? `${what} is not copied any more` : `${what} is copied to the fleet's server from now on`,
    );
    if (isOff && rows.some((row) => row.what === "replicate" && row.value === "*"))
      cli.out.note(`every team is still copied: ${cli.self} fleet replicate --off`);
    if (isOff) return;
    for (const team of value === "*" ? [] : [value]) await warnIfNot(cli, team);
    const name = value === "*" ? "TEAM" : value;
    cli.out.note(`to go on with it elsewhere: ${cli.self} team takeover ${name}@${host}`);
  },
};

function needTeam(typed: string, registered: readonly { team: TeamName }[]): TeamName {
  const team = teamName(typed);
  if (registered.some((row) => row.team === team)) return team;
  throw new UsageError(`this host has no team "${team}"`, {
    hint:
      registered.length === 0
        ? "hivemind team register TEAM"
        : `there are: ${registered.map((row) => row.team).join(", ")}`,
  });
}

/** The watcher would say it too, in its log. */
async function warnIfNot(cli: Cli, team: TeamName): Promise<void> {
  const { contentsOf } = await import("../../hosts/pack.js");
  const { env, stores } = await cli.hive();
  try {
    for (const problem of contentsOf({ env, stores }, { teams: [team] }).problems)
      cli.out.note(`warning: ${shown(problem)}`);
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
    cli.out.note(`warning: it cannot be copied now: ${shown(error.message)}`);
    if (error.hint !== undefined) cli.out.note(`  ${shown(error.hint)}`);
  }
}

async function list(cli: Cli, isJson: boolean): Promise<void> {
  const { stores } = await cli.hive();
  const { chosenTeams } = await import("../../link/copies/replicate.js");
  const { copiedTeams } = await import("../../link/copies/read-teams.js");
  const { sizeOf } = await import("../../stores/text/bundle.js");
  const { withFleet } = await import("./read.js");
  const chosen = chosenTeams(
    stores.fleetJoin.read().rows,
    stores.teams.read().rows.map(({ team }) => team),
  );
  const teams = await withFleet(cli, async (bus, { host }, { serverNowMs }) => {
    const copied = (await copiedTeams(bus)).filter((each) => each.host === host);
    return chosen.map((team) => {
      const found = copied.find((each) => each.team === team);
      const files = found?.found?.page.files ?? [];
      return {
        team,
        copiedAt: found === undefined ? null : new Date(found.writtenAtMs).toISOString(),
        ageMs:
          found === undefined || serverNowMs === null ? null : Math.max(0, serverNowMs - found.writtenAtMs),
        conversations: files.filter(({ path }) => path.startsWith("projects/")).length,
        sizeBytes: sizeOf(files),
      };
    });
  });
  if (isJson) return cli.out.json({ teams });
  if (teams.length === 0) {
    cli.out.print("nothing of this host is copied");
    cli.out.note(`to copy a team: ${cli.self} fleet replicate TEAM`);
  }
  for (const { team, copiedAt, ageMs, conversations, sizeBytes } of teams)
    cli.out.print(
      copiedAt === null
        ? `${shown(team)}: not copied yet; ${cli.self} watch copies it`
        : `${shown(team)}: ${counted(conversations, "conversation")}, ${sizeBytes} bytes, changed ${ageMs === null ? copiedAt : `${ageText(ageMs)} ago`}`,
    );
}
