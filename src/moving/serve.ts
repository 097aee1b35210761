// The far side: answers what a hivemind on another host asks over ssh, one question after the other.
//
// [SRV1] What is asked is checked like what a person types; a refusal is an answer, and the next question may come.
// [SRV2] It reads and writes nothing but what a box may hold, and what a restore of it would.

import type { FolderMove } from "../agents/claude/moved-lines.js";
import { exitCodes, HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import {
  type Host,
  hostName,
  isField,
  type SessionId,
  sessionId,
  type TeamName,
  teamName,
} from "../names/gates.js";
import { type BoxPage, readPage } from "../stores/box-page.js";
import type { BoxName } from "../stores/pulled.js";
import { realFolder } from "../teams/restore.js";
import type { LeftAlone, TeamPlan } from "../teams/restore-plan.js";
import type { Refusal } from "../teams/saved-team.js";
import { type Announced, planArrivals, refuseAnnounced } from "./arrival-plan.js";
import { arrive, type MovingWorld } from "./arrive.js";
import { openBox } from "./opened-box.js";
import { type Box, packBox } from "./pack.js";
import { counted, sizeOf } from "./pull.js";
import { type Message, type Wire, WireBroken } from "./wire.js";

/** Until the other side ends. */
export async function serve(world: MovingWorld, wire: Wire): Promise<void> {
  let packed: Box | null = null;
  const answers: Record<string, (asked: Message) => Promise<Message>> = {
    /** What is stored of these teams, or of all. */
    async pack({ teams, host }) {
      packed = await packBox(world, { teams: teamList(teams), host: hostName(String(host)) });
      return { page: packed.page, problems: packed.problems };
    },

    /** Files of what was packed last. */
    async send({ paths }) {
      for (const path of texts(paths)) {
        const file = packed?.page.files.find((each) => each.path === path);
        if (packed === null || file === undefined) throw new HiveError(`nothing was packed under ${path}`);
        await wire.send({ is: "file", path, sizeBytes: file.sizeBytes });
        await wire.sendBytes(packed.bytesOf(path));
      }
      return {};
    },

    /** What is here of a box, a team and folders; refused is what is known to be in its way. */
    async look({ page, folders, ...announced }) {
      const box = readPage(page);
      for (const team of box.teams) await refuseAnnounced(world, announcedOf(team, box.host, announced));
      const missing = await world.stores.pulled.missing(boxName(box), box);
      return {
        missing: missing.map(({ path }) => path),
        noFolders: texts(folders).filter((folder) => realFolder(folder) === null),
        teams: world.stores.teams.read().rows.map(({ team }) => team),
      };
    },

    async receive({ page }) {
      const box = readPage(page);
      const folder = await world.stores.pulled.receive(boxName(box), box, async (wanted, put) => {
        await wire.send({ is: "wanting", paths: wanted.map(({ path }) => path) });
        let left = sizeOf(wanted);
        const tally = counted(wanted, (doneBytes, totalBytes) => {
          left = totalBytes - doneBytes;
        });
        try {
          for (const file of wanted) await put(file, tally(wire.readBytes(file.sizeBytes)));
        } catch (error) {
          // What is on its way comes before the next question.
          if (!(error instanceof WireBroken)) for await (const _ of wire.readBytes(left));
          throw error;
        }
      });
      return { folder };
    },

    /** Of what was received: who of its agents would not be started here. */
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

  const planned = async ({ page, maps, isFork }: Message) => {
    const box = await openBox(world.stores.pulled.folderOf(boxName(readPage(page))), world.env, world.say);
    return planArrivals(world, box, { maps: moves(maps), isFork: isFork === true });
  };

  const reply = async (asked: Message) => {
    const question = String(asked.ask);
    const answer = Object.hasOwn(answers, question) ? answers[question] : undefined;
    // Whoever asked does not wait for a far side that is silent.
    const alive = setInterval(() => void wire.send({ is: "alive" }).catch(() => {}), limits.farAliveMs);
    try {
      if (answer === undefined) throw new HiveError("this hivemind does not know that question");
      await wire.send({ ...(await answer(asked)), is: "answer" });
    } catch (error) {
      if (!(error instanceof HiveError)) throw error;
      const { message, hint = null, exitCode } = error;
      await wire.send({ is: "refused", message, hint, exitCode });
    } finally {
      clearInterval(alive);
    }
  };

  try {
    for (let asked = await wire.read(); asked !== null; asked = await wire.read()) await reply(asked);
  } catch (error) {
    // Nobody is there any more to be told.
    if (!(error instanceof WireBroken)) throw error;
  }
}

/** Also one that is left alone here: who asks means to end it there. */
function notStarted({ refused, left }: TeamPlan): Refusal[] {
  const agents = left.filter(({ is }) => is !== "shell");
  const asRefused = ({ pane, role, is, why }: LeftAlone): Refusal => ({
    pane,
    role,
    why: is === "running" ? "it runs there already" : why,
    hint: null,
    exitCode: exitCodes.refused,
  });
  return [...refused, ...agents.map(asRefused)];
}

/** Of a team that moves: a box of its own, beside those of whole hosts. */
function boxName({ host, teams }: BoxPage): BoxName {
  return { host, team: teams[0] ?? null };
}

function teamList(value: unknown): TeamName[] | null {
  return value === null ? null : texts(value).map(teamName);
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

/** What an older hivemind does not say is nothing. */
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
  return new HiveError("the question is not understood");
}
