// The remote side: answers the questions of a hivemind on another host over ssh, one after the other.
//
// - A question is checked like user input. A refusal is an answer, and the next question may follow.
// - It reads and writes only what a bundle may hold, and what a restore of it would.

import type { FolderMove } from "../../agents/claude/transcript/moved-lines.js";
import { exitCodes, HiveError } from "../../base/errors.js";
import { limits } from "../../limits.js";
import {
  type Host,
  hostName,
  isField,
  type SessionId,
  sessionId,
  type TeamName,
  teamName,
} from "../../names/gates.js";
import type { BundleName } from "../../stores/received.js";
import { type Manifest, readManifest, sizeOf } from "../../stores/text/bundle.js";
import { realFolder } from "../../teams/snapshot/restore.js";
import type { LeftAlone, TeamPlan } from "../../teams/snapshot/restore-plan.js";
import type { Refusal } from "../../teams/snapshot/saved-team.js";
import { type Announced, planArrivals, refuseAnnounced } from "../arrival/arrival-plan.js";
import { arrive, type MovingWorld } from "../arrival/arrive.js";
import { openBundle } from "../opened-bundle.js";
import { type Bundle, packBundle } from "../pack.js";
import { counted } from "../pull.js";
import { type Message, type Wire, WireBroken } from "./wire.js";

/** Runs until the other side ends. */
export async function serve(world: MovingWorld, wire: Wire): Promise<void> {
  const answers = answersOf(world, wire);
  try {
    for (let asked = await wire.read(); asked !== null; asked = await wire.read())
      await reply(wire, answers, asked);
  } catch (error) {
    // The other side is gone.
    if (!(error instanceof WireBroken)) throw error;
  }
}

type Answers = Readonly<Record<string, (asked: Message) => Promise<Message>>>;

function answersOf(world: MovingWorld, wire: Wire): Answers {
  let packed: Bundle | null = null;
  const planned = async ({ page, maps, isFork }: Message) => {
    const folder = world.stores.received.folderOf(boxName(readManifest(page)));
    const bundle = await openBundle(folder, world.env, world.say);
    return planArrivals(world, bundle, { maps: moves(maps), isFork: isFork === true });
  };
  return {
    /** What is stored for these teams, or for all. */
    async pack({ teams, host }) {
      packed = await packBundle(world, {
        teams: teams === null ? null : texts(teams).map(teamName),
        host: hostName(String(host)),
      });
      return { page: packed.page, problems: packed.problems };
    },

    /** Files of the last pack. */
    async send({ paths }) {
      for (const path of texts(paths)) {
        const file = packed?.page.files.find((each) => each.path === path);
        if (packed === null || file === undefined) throw new HiveError(`no packed file ${path}`);
        await wire.send({ is: "file", path, sizeBytes: file.sizeBytes });
        await wire.sendBytes(packed.bytesOf(path));
      }
      return {};
    },

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

    async receive({ page }) {
      const manifest = readManifest(page);
      const take: Take = (wanted, put) => takeFiles(wire, wanted, put);
      return { folder: await world.stores.received.receive(boxName(manifest), manifest, take) };
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

type Take = Parameters<MovingWorld["stores"]["received"]["receive"]>[2];

/** Asks for these files, and passes each on as it comes. */
async function takeFiles(wire: Wire, wanted: Parameters<Take>[0], put: Parameters<Take>[1]): Promise<void> {
  await wire.send({ is: "wanting", paths: wanted.map(({ path }) => path) });
  let left = sizeOf(wanted);
  const tally = counted(wanted, (doneBytes, totalBytes) => {
    left = totalBytes - doneBytes;
  });
  try {
    for (const file of wanted) await put(file, tally(wire.readBytes(file.sizeBytes)));
  } catch (error) {
    // Skips the rest of the bytes, so that the next question can be read.
    if (!(error instanceof WireBroken)) for await (const _ of wire.readBytes(left));
    throw error;
  }
}

async function reply(wire: Wire, answers: Answers, asked: Message): Promise<void> {
  const question = String(asked.ask);
  const answer = Object.hasOwn(answers, question) ? answers[question] : undefined;
  // Keep-alives, because the asking side gives up on a silent host.
  const alive = setInterval(() => void wire.send({ is: "alive" }).catch(() => {}), limits.farAliveMs);
  try {
    if (answer === undefined) throw new HiveError("this hivemind does not know this question");
    await wire.send({ ...(await answer(asked)), is: "answer" });
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
    const { message, hint = null, exitCode } = error;
    await wire.send({ is: "refused", message, hint, exitCode });
  } finally {
    clearInterval(alive);
  }
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

function texts(value: unknown): string[] {
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  throw notUnderstood();
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
