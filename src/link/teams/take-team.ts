// The receiving side of a team that moves through the fleet: its questions, and the files from their box.

import { HiveError } from "../../base/errors.js";
import { jsonObject } from "../../base/text/json-object.js";
import { arrivalAnswers, texts } from "../../hosts/arrival/answers.js";
import type { MovingWorld } from "../../hosts/arrival/arrive.js";
import { type Message, wireReader } from "../../hosts/wire/wire.js";
import type { Bus } from "../../nats/bus.js";
import type { Fetch } from "../../stores/received.js";
import { readManifest } from "../../stores/text/bundle.js";
import { objects } from "../subjects.js";
import { openBox, readBox } from "./box.js";

/** What the words of such a question begin with. */
const mark = "arrival ";

export function isArrivalQuestion(words: string): boolean {
  return words.startsWith(mark);
}

export async function answerArrival(
  world: MovingWorld,
  bus: Bus,
  words: string,
  message: string,
): Promise<Message> {
  const answers = arrivalAnswers(world, (asked) => fetchFromBox(bus, asked));
  const question = words.slice(mark.length);
  const asked = jsonObject(message);
  if (asked === null || !Object.hasOwn(answers, question))
    throw new HiveError("this hivemind does not know this question");
  return answers[question]!(asked);
}

/** The files are in the box one after the other. */
function fetchFromBox(bus: Bus, { box, paths, page }: Message): Fetch {
  return async (wanted, put) => {
    const found = readBox(box);
    if (found === null) throw new HiveError("the question has an unknown form");
    const sizes = new Map(readManifest(page).files.map((file) => [file.path, file.sizeBytes]));
    const reader = wireReader(openBox(await bus.objects(objects.boxes), found), undefined);
    for (const path of texts(paths)) {
      const bytes = reader.readBytes(sizes.get(path) ?? 0);
      const file = wanted.find((each) => each.path === path);
      if (file !== undefined) await put(file, bytes);
      else for await (const _ of bytes);
    }
  };
}
