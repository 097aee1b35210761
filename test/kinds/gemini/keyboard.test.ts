// What the real Gemini CLI makes of a text that hivemind pastes into its box.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readInputs, whereNow } from "../../../src/agents/gemini/inputs.js";
import { readBox } from "../../../src/agents/gemini/screen/input-box.js";
import { readActivity } from "../../../src/agents/gemini/screen/screen.js";
import { shownAs } from "../../../src/agents/gemini/text/compare.js";
import { shapeText } from "../../../src/agents/gemini/text/shape.js";
import { digestOf, proofIn } from "../../../src/agents/gemini/transcript/message-records.js";
import { messageOf, typedText } from "../../../src/agents/gemini/transcript/record.js";
import type { SessionId } from "../../../src/names/gates.js";
import { hasEnded } from "../../client/end-all.js";
import { until } from "../../home.js";
import { type GeminiWorld, geminiWorld, type RealGemini } from "./driver.js";

const id = "0b1f6e3c-7d52-4a58-9a51-3f0b8c2d9e11" as SessionId;
const size = { columns: 120, rows: 40 };

const boxOf = (client: RealGemini) => readBox(client.screenWithColours());

function linesOf({ sessions }: GeminiWorld): string {
  return [...sessions().values()]
    .flat()
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

/** As a delivery has to do it: paste, wait until the box shows the text, then Enter. */
async function deliver(client: RealGemini, text: string): Promise<string> {
  const shaped = shapeText(text, size);
  if ("refused" in shaped) throw new Error(shaped.refused);
  client.paste(shaped.text);
  await until(`${JSON.stringify(shaped.text)} in the box`, () => {
    const box = boxOf(client);
    return box.kind === "draft" && shownAs(box.text, shaped.text) !== null;
  });
  await client.enterPasted();
  await until("an empty box", () => boxOf(client).kind === "empty");
  return shaped.text;
}

it("takes every shaped text as one message, and records it so that it is proven", async () => {
  const world = await geminiWorld();
  writeFileSync(join(world.home.work, "made.txt"), "contents of the file");
  const client = await world.start({ args: ["--session-id", id] });
  const texts = [
    "plain words",
    "first line\nsecond line\n\nfourth line",
    Array.from({ length: 12 }, (_, at) => `line ${at}`).join("\n"),
    `long ${"word ".repeat(130)}`,
    "/tmp/x is a path",
    "/about\nwith a second line",
    "!echo not a shell line",
    "? a question",
    "look at @made.txt and me@example.org",
    "it ends in a name @made.txt",
    "it ends in a backslash \\",
    "Grüße, 世界 👋",
  ];
  for (const text of texts) {
    const sent = await deliver(client, text);
    await until(
      `"${text}" answered`,
      () => proofIn(linesOf(world), { digest: digestOf(sent) }) === "answered",
    );
  }
  const turns = world.api.requests.filter(({ isTurn }) => isTurn);
  expect(turns).toHaveLength(texts.length);
});

it("an Enter at the moment of a paste is a line break, and nothing is sent", async () => {
  const world = await geminiWorld();
  const client = await world.start();
  const { tmux } = world.home;
  tmux("set-buffer", "-b", "typed", "--", "hello");
  tmux(
    "paste-buffer",
    "-p",
    "-r",
    "-d",
    "-b",
    "typed",
    "-t",
    client.paneId,
    ";",
    "send-keys",
    "-t",
    client.paneId,
    "Enter",
  );
  await until("the draft", () => {
    const box = boxOf(client);
    return box.kind === "draft" && box.text === "hello";
  });
  client.type("again");
  await until("a second line", () => {
    const box = boxOf(client);
    return box.kind === "draft" && box.text === "hello\nagain";
  });
});

it("runs a command that its menu chooses, and the log of inputs has it", async () => {
  const { home, start } = await geminiWorld();
  const client = await start({ args: ["--session-id", id] });
  client.paste("/about");
  await until("a known command", () => {
    const box = boxOf(client);
    return box.kind === "draft" && box.isKnownCommand === true;
  });
  await client.enterPasted();
  await client.waitForScreen(/About Gemini CLI/);
  const log = () => readInputs(readFileSync(join(home.home, ".gemini", "tmp", "work", "logs.json"), "utf8"));
  expect(
    await until("the command in the log", () => log().find(({ text }) => text === "/about")),
  ).toMatchObject({ began: id });
});

it("its log of inputs tells to which session /clear moved it", async () => {
  const world = await geminiWorld();
  const client = await world.start({ args: ["--session-id", id] });
  const now = () => {
    const json = readFileSync(join(world.home.home, ".gemini", "tmp", "work", "logs.json"), "utf8");
    const prompts = [...world.sessions().values()].flatMap(([head, ...records]) =>
      records.flatMap((record) => {
        const message = messageOf(record);
        const session = head!.sessionId as SessionId;
        return message?.type === "user" ? [{ session, text: typedText(message), atMs: message.atMs! }] : [];
      }),
    );
    return whereNow(id, 0, readInputs(json), () => prompts);
  };
  await client.submit("how are you");
  await client.waitForScreen(/✦ ok/);
  expect(now()).toEqual({ kind: "began" });
  await client.submit("/clear");
  await until("a second file", () => world.sessions().size === 2);
  await until("an empty screen", () => !client.screen().some((row) => row.includes("how are you")));
  expect(now()).toMatchObject({ kind: "unknown" });
  await client.submit("and now");
  await client.waitForScreen(/✦ ok/);
  const second = [...world.sessions().values()].map(([head]) => head!.sessionId).find((each) => each !== id);
  await until("the session it moved to", () => {
    const where = now();
    return where.kind === "moved" && where.session === second;
  });
});

it.each([
  ["a turn", { text: "never", held: true }, "busy"],
  [
    "a question",
    { tool: "run_shell_command", input: { command: "touch made", description: "Make it" } },
    "waiting",
  ],
] as const)("ends by a signal to its second process in the middle of %s", async (_what, reply, activity) => {
  const { api, start } = await geminiWorld();
  api.next(reply);
  const client = await start();
  await client.submit("begin");
  await until(activity, () => readActivity(client.screenWithColours(), 0)?.activity === activity);
  process.kill(client.holder!, "SIGTERM");
  await until("the end of both", () => hasEnded(client.pid) && hasEnded(client.holder!));
});

it("asks at its start whether to trust a folder, and takes no message meanwhile", async () => {
  const { start } = await geminiWorld();
  const client = await start({ isTrusted: false, ready: /Do you trust the files in this folder\?/ });
  const box = await until("the dialog", () => {
    const seen = boxOf(client);
    return seen.kind === "dialog" && seen.options.length === 3 ? seen : null;
  });
  expect(box).toMatchObject({ known: { isClosedByEscape: false } });
});

it.each([
  [{ error: 400, status: "INVALID_ARGUMENT", message: "bad words" }, "error", "bad words"],
  [{ error: 403, status: "PERMISSION_DENIED", message: "not for you" }, "error", "not for you"],
] as const)("shows the error %j, and it is read from its screen", async (reply, activity, about) => {
  const { api, start } = await geminiWorld();
  api.next(reply);
  const client = await start();
  await client.submit("how are you");
  await until("the error", () => readActivity(client.screenWithColours(), 0)?.activity === activity);
  expect(readActivity(client.screenWithColours(), 0)).toMatchObject({ activity, about });
});
