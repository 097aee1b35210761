import { Writable } from "node:stream";
import { expect, test } from "vitest";
import type { Host } from "../../names/gates.js";
import { askOver } from "./far.js";
import { type Message, openWire } from "./wire.js";

const quiet = { progress: () => {}, say: () => {} };

/** Says one message after the other, without end where the last one is repeated. */
async function* saying(messages: readonly Message[], last: Message | null): AsyncGenerator<Buffer> {
  for (const message of messages) yield Buffer.from(`${JSON.stringify(message)}\n`);
  for (;;) {
    if (last === null) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
    yield Buffer.from(`${JSON.stringify(last)}\n`);
  }
}

function ask(messages: readonly Message[], last: Message | null, patienceMs: number): Promise<Message> {
  const output = new Writable({ write: (_, __, done) => done() });
  const wire = openWire(saying(messages, last), output);
  return askOver(wire, { ask: "start" }, { host: "beta" as Host, voice: quiet, patienceMs });
}

test("a host that only sends keep-alives is given up", async () => {
  const alive = { is: "alive" };
  await expect(ask([], alive, 20)).rejects.toMatchObject({
    name: "WireBroken",
    isSilence: true,
    message: expect.stringContaining("only keep-alives"),
  });
  await expect(
    ask(
      [
        { is: "progress", line: "one" },
        { is: "said", line: "two" },
      ],
      alive,
      20,
    ),
  ).rejects.toMatchObject({
    isSilence: true,
  });
  expect(await ask([alive, alive, { is: "answer", outcomes: [] }], null, 60_000)).toMatchObject({
    is: "answer",
  });
});
