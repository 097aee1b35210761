import { type ExitCode, HiveError, UsageError } from "../../base/errors.js";
import { counted } from "../../base/text/counted.js";
import type { CopiedTeam } from "../../link/copies/read-teams.js";
import type { Taking } from "../../link/copies/takeover.js";
import type { FleetRead } from "../../link/read-fleet.js";
import { type SessionId, teamName } from "../../names/gates.js";
import type { RestoreOutcome } from "../../teams/snapshot/restore.js";
import { type Cli, type Command, dryRunOption, type Input } from "../command.js";
import { ageText, sinceText } from "../far/ages.js";
import { type Far, nameIn, withFar } from "../far/open-far.js";
import { byteBar, shown } from "../output.js";
import { showOutcome } from "../save/restore.js";
import { watcherBack } from "../watch/bring-back.js";
import { mapOption, startBundle } from "./from-bundle.js";

export const teamTakeover: Command = {
  words: "team takeover",
  about: "go on here with a team of a host that is not reached",
  args: [
    {
      name: "team",
      about: "TEAM@HOST (default: list what can be taken over)",
      meaning: "text",
      isOptional: true,
    },
  ],
  options: [
    mapOption,
    { name: "fork", about: "start forks also if the conversations have ended there" },
    { name: "again", about: "also if another host has already gone on with it" },
    { ...dryRunOption, about: "fetch the copy, show what would start, and start nothing" },
  ],
  examples: [
    "hivemind team takeover",
    "hivemind team takeover web4team@laptop --dry-run",
    "hivemind team takeover web4team@laptop --map /home/ann/src=/srv/src",
  ],
  notes:
    "The team must have been copied to the fleet's server: hivemind fleet replicate, on that host, while it was there.\n" +
    "Its conversations continue here as forks, because the originals may still run on a host that is only cut off. If that\n" +
    "host said that they had ended, they continue as themselves. A host that is reached moves its team itself: there\n" +
    "hivemind team migrate TEAM HOST --fleet.",
  hasJson: true,
  async run(cli, input) {
    const typed = input.arg("team");
    return withFar(cli, async (far) => {
      if (far.join.isReader)
        throw new HiveError(`${far.join.host} only reads this fleet: it takes nothing over`);
      const { copiedTeams } = await import("../../link/copies/read-teams.js");
      const { readFleet } = await import("../../link/read-fleet.js");
      const { leaseNow } = await import("../../stores/link/lease-file.js");
      const fleet = await readFleet(far.bus, leaseNow(far.hive.stores).serverNowMs);
      const copied = await copiedTeams(far.bus);
      if (typed === undefined) return list(cli, input, { far, fleet, copied });
      return takeOver(cli, input, { far, fleet, team: await teamIn(cli, far, fleet, copied, typed) });
    });
  },
};

interface Seen {
  far: Far;
  fleet: FleetRead;
  copied: readonly CopiedTeam[];
}

function list(cli: Cli, input: Input, { far, fleet, copied }: Seen): undefined {
  const { out } = cli;
  const rows = copied
    .filter(({ host }) => host !== far.join.host)
    .map(({ host, team, found, writtenAtMs }) => {
      const state = fleet.hosts.find((each) => each.host === host);
      return {
        ...{ team, host, isReached: state?.isReached ?? false, isReadable: found !== null },
        unreachedMs: state === undefined || state.isReached ? null : state.ageMs,
        copiedMs: Math.max(0, fleet.nowMs - writtenAtMs),
      };
    });
  if (input.flag("json")) out.json({ teams: rows });
  else if (rows.length === 0) {
    out.print("no host has copied a team to the fleet's server");
    out.note(`to copy a team of this host: ${cli.self} fleet replicate TEAM`);
  } else
    for (const { team, host, isReached, isReadable, unreachedMs, copiedMs } of rows) {
      const is = isReached ? "reached: it moves the team itself" : `not reached ${sinceText(unreachedMs)}`;
      const copy = isReadable ? `copied ${ageText(copiedMs)} ago` : "written by another version of hivemind";
      out.print(`${shown(team)}@${shown(host)}  ${copy}; ${host} is ${is}`);
    }
  return undefined;
}

/** Refuses a team that its own host can move. */
async function teamIn(cli: Cli, far: Far, fleet: FleetRead, copied: readonly CopiedTeam[], typed: string) {
  const { name, host } = await nameIn(cli, typed);
  if (host === null)
    throw new UsageError(`"${shown(typed)}" names no other host`, {
      hint: "hivemind team takeover TEAM@HOST",
    });
  const team = teamName(name);
  const state = fleet.hosts.find((each) => each.host === host);
  if (state?.isReached)
    throw new HiveError(`${host} is reached: it has the team`, {
      hint: `on ${host}: hivemind team migrate ${team} ${far.join.host} --fleet --down`,
    });
  const found = copied.find((each) => each.host === host && each.team === team);
  if (found === undefined) {
    const others = copied.filter((each) => each.host !== far.join.host);
    throw new HiveError(`the fleet's server has no copy of ${team} of ${host}`, {
      hint:
        others.length === 0
          ? "a host copies its teams after: hivemind fleet replicate TEAM"
          : `there are: ${others.map((each) => `${each.team}@${each.host}`).join(", ")}`,
    });
  }
  if (found.found === null)
    throw new HiveError(`the copy of ${team} of ${host} was written by another version of hivemind`, {
      hint: "compare the versions: hivemind fleet hosts",
    });
  return { ...found, found: found.found };
}

interface Chosen extends Omit<Seen, "copied"> {
  team: CopiedTeam & { found: NonNullable<CopiedTeam["found"]> };
}

async function takeOver(cli: Cli, input: Input, chosen: Chosen): Promise<ExitCode | undefined> {
  const { far, fleet, team: copy } = chosen;
  const { parseMaps } = await import("../../hosts/folder-map.js");
  const { recordTaken, refuseTaken, whileTaking } = await import("../../link/copies/takeover.js");
  const { ownInstance } = await import("../../link/instance.js");
  const { leaseNow } = await import("../../stores/link/lease-file.js");
  const maps = parseMaps(input.options("map"));
  const { stores } = far.hive;
  const { epoch, serverNowMs } = leaseNow(stores);
  const owner = { host: far.join.host, instance: ownInstance(stores.paths.folder), epoch };
  const taking: Taking = { bus: far.bus, owner, host: copy.host, team: copy.team, serverNowMs };
  const isDryRun = input.flag("dry-run");
  const outcomes: RestoreOutcome[] = [];
  const hear = input.flag("json")
    ? (outcome: RestoreOutcome) => void outcomes.push(outcome)
    : (outcome: RestoreOutcome) => showOutcome(cli, outcome);
  return whileTaking(taking, async () => {
    if (!input.flag("again")) await refuseTaken(taking, copy.writtenAtMs);
    const { folder, sessions } = await fetchTeam(cli, chosen);
    const why = await forkReason(chosen, taking, sessions);
    const isFork = why !== null || input.flag("fork");
    const age = ageText(fleet.nowMs - copy.writtenAtMs);
    cli.out.note(
      isFork
        ? `${copy.team} goes on as forks${why === null ? "" : `: ${why}`} (copied ${age} ago)`
        : `${copy.team} goes on as itself: ${copy.host} said that it has ended there (copied ${age} ago)`,
    );
    const start = { maps, isFork, team: copy.team };
    const code = await startBundle(cli, folder, start, isDryRun, hear);
    if (!isDryRun) await recordTaken(taking, isFork);
    const isJson = input.flag("json");
    const watcher = isDryRun ? null : await watcherBack(cli, { isJson, hasHint: true });
    if (isJson && !isDryRun)
      cli.out.json({ host: copy.host, team: copy.team, isFork, why, teams: outcomes, watcher });
    return code;
  });
}

/** The copy as a folder here, as `team pull` fetches one. */
async function fetchTeam(cli: Cli, { far, team: { host, team, found } }: Chosen) {
  const { fetchCopies } = await import("../../link/copies/read-teams.js");
  const { sessionOfFile } = await import("../../link/copies/far-team.js");
  const { counted: counting } = await import("../../hosts/pull.js");
  const { out } = cli;
  const { received } = far.hive.stores;
  const fetch = fetchCopies(far.bus, host, found);
  const folder = await received.receive({ host, team }, found.page, async (wanted, put) => {
    const tally = counting(wanted, (done, all) => out.progress(`${host}: ${byteBar(done, all)}`));
    await fetch(wanted, (file, bytes) => put(file, tally(bytes)));
  });
  out.progress(null);
  const { files, savedAt } = found.page;
  const sessions = files.flatMap(({ path }) => sessionOfFile(path) ?? []);
  out.note(`${team} of ${host}, saved ${savedAt ?? "never"}: ${counted(sessions.length, "conversation")}`);
  return { folder, sessions };
}

async function forkReason({ fleet, team }: Chosen, taking: Taking, sessions: readonly SessionId[]) {
  const { verdictsOn, whyForks } = await import("../../link/copies/takeover.js");
  return whyForks(team.host, await verdictsOn(taking, sessions), fleet.agents);
}
