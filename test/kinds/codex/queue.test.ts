// Messages to the real program through its queue, and what proves them.

import { expect, test } from "vitest";
import { openServer, Refused, type Server } from "../../../src/agents/codex/app-server.js";
import { heldSessions } from "../../../src/agents/codex/live-session.js";
import { readBox } from "../../../src/agents/codex/screen/input-box.js";
import { readActivity } from "../../../src/agents/codex/screen/screen.js";
import { shapeText } from "../../../src/agents/codex/text/shape.js";
import { digestOf, proofIn, turnIn } from "../../../src/agents/codex/transcript/message-records.js";
import type { SessionId } from "../../../src/names/gates.js";
import { until } from "../../home.js";
import { type CodexWorld, type RealCodex, testCodex } from "./driver.js";
import { approval } from "./scenes.js";

const served = <T>(world: CodexWorld, act: (server: Server) => Promise<T>) =>
  world.serve(async (wire) => act(await openServer(wire)));

interface Running {
  world: CodexWorld;
  codex: RealCodex;
  session: SessionId;
  proof(text: string, id?: string): string;
}

async function running(): Promise<Running> {
  const world = await testCodex();
  const session = await served(world, (server) => server.create(world.home.work, "po"));
  const codex = await world.start({ args: ["resume", "--no-daemon", session] });
  await until("its lock", () => heldSessions(world.folder, codex.process).length === 1);
  const proof = (text: string, id?: string) =>
    proofIn(world.rollout(session) ?? "", { digest: digestOf(text), ...(id === undefined ? {} : { id }) });
  return { world, codex, session, proof };
}

test("an idle client takes messages with our ids, past a draft, and commands are words there", async () => {
  const { world, codex, session, proof } = await running();
  codex.paste("my own draft");
  await codex.waitForScreen(/› my own draft/);
  const letters = ["two\nlines\twith ünïcode", "/quit", "!touch made"].map((text, at) => ({
    session,
    id: `letter-${at}`,
    text,
  }));
  await served(world, async (server) => {
    for (const letter of letters) await server.enqueue(letter);
  });
  for (const { text, id } of letters) await until(`proof of ${id}`, () => proof(text, id) === "answered");
  expect(world.api.requests.map(({ lastText }) => lastText)).toEqual(
    expect.arrayContaining(letters.map(({ text }) => text)),
  );
  expect(readBox(codex.screenWithColours())).toEqual({ kind: "draft", text: "my own draft" });
  expect(await served(world, (server) => server.waiting(session))).toEqual([]);
});

test("a busy client takes a message when its turn ends; until then it can be taken back", async () => {
  const { world, codex, session, proof } = await running();
  world.api.next({ text: "late", held: true }, { text: "heard" });
  await codex.submit("wait");
  await codex.waitForScreen(/esc to interrupt/);
  expect(readActivity(codex.screenWithColours(), Date.now())?.activity).toBe("busy");
  const [kept, dropped] = await served(world, async (server) => [
    await server.enqueue({ session, id: "kept", text: "kept" }),
    await server.enqueue({ session, id: "dropped", text: "dropped" }),
  ]);
  const waiting = await served(world, (server) => server.waiting(session));
  expect(waiting).toEqual([
    { queueId: kept, id: "kept" },
    { queueId: dropped, id: "dropped" },
  ]);
  expect(await served(world, (server) => server.withdraw(session, dropped!))).toBe(true);
  expect(proof("kept", "kept")).toBe("nothing");
  await world.api.release();
  await until("proof", () => proof("kept", "kept") === "answered");
  expect(turnIn(world.rollout(session)!, { digest: "", id: "kept" })).toMatchObject({ words: "heard" });
  expect(await served(world, (server) => server.withdraw(session, kept!))).toBe(false);
  expect(proof("dropped", "dropped")).toBe("nothing");
});

test("a dialog keeps its keys while a message waits", async () => {
  const { world, codex, session, proof } = await running();
  world.api.next(approval);
  await codex.submit("make it");
  await codex.waitForScreen(/Press enter to confirm/);
  await served(world, (server) => server.enqueue({ session, id: "one", text: "later" }));
  const box = readBox(codex.screenWithColours());
  expect(box).toMatchObject({ kind: "dialog", question: "run touch made?" });
  codex.keys("y");
  await until("proof", () => proof("later", "one") === "answered");
});

test("a message to an ended client waits for the next one", async () => {
  const { world, codex, session, proof } = await running();
  await codex.crash();
  await served(world, (server) => server.enqueue({ session, id: "one", text: "are you there" }));
  expect(proof("are you there", "one")).toBe("nothing");
  await world.start({ args: ["resume", "--no-daemon", session] });
  await until("proof", () => proof("are you there", "one") === "answered");
});

test("a conversation that does not exist is refused", async () => {
  const world = await testCodex();
  const session = "01a1ed77-0000-7ca1-bcc3-383429956ef1" as SessionId;
  const letter = { session, id: "one", text: "hello" };
  await expect(served(world, (server) => server.enqueue(letter))).rejects.toThrow(Refused);
});

test.each([
  ["plain words", "plain words"],
  ["a command with a second line", "/status\nand more"],
  ["a file at the end", "look at @src"],
  ["lines", "many\n\nlines\n  indented"],
  ["a text that the box hides", "x".repeat(2_000)],
])("typed as shaped, %s arrives as words", async (_, text) => {
  const { world, codex, proof } = await running();
  const shaped = shapeText(text);
  if ("refused" in shaped) throw new Error(shaped.refused);
  codex.paste(shaped.text);
  await until("a draft", () => readBox(codex.screenWithColours()).kind === "draft");
  codex.keys("Enter");
  await until("proof", () => proof(shaped.text) === "answered");
  expect(world.api.requests.some(({ lastText }) => lastText.trim() === shaped.text.trim())).toBe(true);
});

test("a failed turn says so", async () => {
  const { world, codex, session, proof } = await running();
  world.api.next({ error: 500 });
  await codex.submit("fail");
  await codex.waitForScreen(/■/);
  await until(
    "the failure",
    () => turnIn(world.rollout(session) ?? "", { digest: digestOf("fail") })?.end === "failed",
  );
  expect(proof("fail")).toBe("taken");
  expect(readActivity(codex.screenWithColours(), Date.now())?.activity).toBe("error");
});
