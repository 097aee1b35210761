// What this host answers to another one that sends it a team, however the question came.
//
// - A question is checked like user input.
// - Nothing is read or written but what a bundle may hold, and what a restore of it would.

import type { FolderMove } from "../../agents/claude/transcript/moved-lines.js";
import { exitCodes, HiveError } from "../../base/errors.js";
import { type Host, isField, type SessionId, sessionId, type TeamName } from "../../names/gates.js";
import type { BundleName, Fetch } from "../../stores/received.js";
import { type Manifest, readManifest } from "../../stores/text/bundle.js";
import { realFolder } from "../../teams/snapshot/restore.js";
import type { LeftAlone, TeamPlan } from "../../teams/snapshot/restore-plan.js";
import type { Refusal } from "../../teams/snapshot/saved-team.js";
import { openBundle } from "../opened-bundle.js";
import type { Message } from "../wire/wire.js";
import { type Announced, planArrivals, refuseAnnounced } from "./arrival-plan.js";
import { arrive, type MovingWorld } from "./arrive.js";

export type Answers = Readonly<Record<string, (asked: Message) => Promise<Message>>>;

/** `fetch` gets the files of a bundle that the other host sends with this question. */
export function arrivalAnswers(world: MovingWorld, fetch: (asked: Message) => Fetch): Answers {
  const planned = async ({ page, maps, isFork }: Message) => {
    const folder = world.stores.received.folderOf(boxName(readManifest(page)));
    const bundle = await openBundle(folder, world.env, world.say);
    return planArrivals(world, bundle, { maps: moves(maps), isFork: isFork === true });
  };
  return {
    /** What this host has of a bundle, a team and folders. Refuses known obstacles. */
    async look({ page, folders, ...announced }) {
      const box = readManifest(page);
      for (const team of box.teams) await refuseAnnounced(world, announcedOf(team, box.host, announced));
      const missing = await world.stores.received.missing(boxName(box), box);
      return {
        missing: missing.map(({ path }) => path),
        noFolders: texts(folders).filter((folder) => realFolder(folder) === null),
        teams: world.stores.teams.read().rows.map(({ team }) => team),
      };
    },

    /** The files of a bundle that this host does not have. */
    async missing({ page }) {
      const manifest = readManifest(page);
      const missing = await world.stores.received.missing(boxName(manifest), manifest);
      return { paths: missing.map(({ path }) => path) };
    },

    async receive(asked) {
      const manifest = readManifest(asked.page);
      return { folder: await world.stores.received.receive(boxName(manifest), manifest, fetch(asked)) };
    },

    /** For a received bundle: its agents that would not be started here. */
    async plan(asked) {
      const { plans } = await planned(asked);
      return { refused: plans.flatMap(notStarted) };
    },

    async start(asked) {
      const { arrivals } = await planned(asked);
      const outcomes = [];
      for (const arrival of arrivals) outcomes.push(await arrive(world, arrival));
      return { outcomes };
    },
  };
}

/** Throws unless it is a list of texts. */
export function texts(value: unknown): string[] {
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  throw notUnderstood();
}

/** Includes agents that are left alone here: the asking side is about to end them there. */
function notStarted({ refused, left }: TeamPlan): Refusal[] {
  const agents = left.filter(({ is }) => is !== "shell");
  const asRefused = ({ pane, role, is, why }: LeftAlone): Refusal => ({
    pane,
    role,
    why: is === "running" ? "it already runs there" : why,
    hint: null,
    exitCode: exitCodes.refused,
  });
  return [...refused, ...agents.map(asRefused)];
}

/** A team that moves has its own bundle, separate from those of whole hosts. */
function boxName({ host, teams }: Manifest): BundleName {
  return { host, team: teams[0] ?? null };
}

function announcedOf(team: TeamName, host: Host, { sessions, parents, landings }: Message): Announced {
  return {
    team,
    host,
    sessions: new Set(list(sessions).map(session)),
    parents: new Map(list(parents).map((pair) => [session(list(pair)[0]), session(list(pair)[1])])),
    landings: list(landings).map((each) => {
      const { id, sizeBytes } = (each ?? {}) as Record<string, unknown>;
      if (!Number.isSafeInteger(sizeBytes)) throw notUnderstood();
      return { id: session(id), sizeBytes: sizeBytes as number, ...moves([each])[0]! };
    }),
  };
}

function session(value: unknown): SessionId {
  return sessionId(String(value));
}

/** A field that an older hivemind does not send counts as empty. */
function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function moves(value: unknown): FolderMove[] {
  return list(value).map((each) => {
    const { from, to } = (each ?? {}) as Record<string, unknown>;
    if (typeof from === "string" && typeof to === "string" && isField(from + to)) return { from, to };
    throw notUnderstood();
  });
}

function notUnderstood(): HiveError {
  return new HiveError("the question has an unknown form");
}
