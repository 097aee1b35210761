// The remote side: answers the questions of a hivemind on another host over ssh, one after the other.
//
// - A question is checked like user input. A refusal is an answer, and the next question may follow.
// - It reads and writes only what a bundle may hold, and what a restore of it would.

import { HiveError } from "../../base/errors.js";
import { limits } from "../../limits.js";
import { hostName, teamName } from "../../names/gates.js";
import type { Fetch, Put } from "../../stores/received.js";
import { sizeOf } from "../../stores/text/bundle.js";
import { type Answers, arrivalAnswers, texts } from "../arrival/answers.js";
import type { MovingWorld } from "../arrival/arrive.js";
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

function answersOf(world: MovingWorld, wire: Wire): Answers {
  let packed: Bundle | null = null;
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

    ...arrivalAnswers(world, () => (wanted, put) => takeFiles(wire, wanted, put)),
  };
}

/** Asks for these files, and passes each on as it comes. */
async function takeFiles(wire: Wire, wanted: Parameters<Fetch>[0], put: Put): Promise<void> {
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
