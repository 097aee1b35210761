// Another host of the fleet that takes a team: questions go by the fleet's server, files by its objects.

import { randomUUID } from "node:crypto";
import { harmless } from "../../base/text/escape-terminal.js";
import { counted } from "../../hosts/pull.js";
import type { Target } from "../../hosts/target.js";
import { farRefusal } from "../../hosts/wire/far.js";
import type { Message } from "../../hosts/wire/wire.js";
import type { Host } from "../../names/gates.js";
import type { Bus } from "../../nats/bus.js";
import type { BundleFile } from "../../stores/text/bundle.js";
import type { Join } from "../join.js";
import { askHost, type FarAnswer, type FarQuestion } from "../questions.js";
import { objects } from "../subjects.js";
import { putBox, removeBox } from "./box.js";

export interface FleetTargetParts {
  bus: Bus;
  join: Join;
  host: Host;
  /** The person who moves the team. */
  by: FarQuestion["by"];
  say(line: string): void;
  interrupted: AbortSignal;
}

export function fleetTarget({ bus, join, host, by, say, interrupted }: FleetTargetParts): Target {
  async function ask(request: Message): Promise<Message> {
    const { ask: what, page } = request;
    const team = (page as { teams?: string[] } | undefined)?.teams?.[0] ?? "";
    const answer = await askHost(
      ...([bus, join, host] as const),
      {
        ...{ id: randomUUID(), words: `arrival ${what}`, by, options: {} },
        args: { team, message: JSON.stringify(request) },
      },
      { interrupted },
    );
    return answered(host, answer, say);
  }

  return {
    host,
    ask,
    async push({ page, bytesOf }, onBytes) {
      const { paths } = await ask({ ask: "missing", page });
      const wanted = new Set(Array.isArray(paths) ? paths : []);
      const files = page.files.filter(({ path }) => wanted.has(path));
      const tally = counted(files, onBytes);
      const store = await bus.objects(objects.boxes);
      const box = await putBox(store, tally(allOf(files, bytesOf)));
      try {
        await ask({ ask: "receive", page, box, paths: files.map(({ path }) => path) });
      } finally {
        await removeBox(store, box);
      }
    },
    lookThere: "hivemind status --fleet",
  };
}

async function* allOf(files: readonly BundleFile[], bytesOf: (path: string) => AsyncIterable<Buffer>) {
  for (const { path } of files) yield* bytesOf(path);
}

function answered(host: Host, { value, notes, error, exitCode }: FarAnswer, say: (line: string) => void) {
  for (const note of notes) say(`${host}: ${harmless(note)}`);
  if (error === null && value !== null) return value;
  const { message, hint } = error ?? { message: "it gave no answer", hint: null };
  throw farRefusal(host, { message: harmless(message), hint: hint && harmless(hint), exitCode });
}
