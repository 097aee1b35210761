// What went wrong in the real client, and what only looks so, as hivemind tells it.

import { describe, expect, it } from "vitest";
import { drain } from "../../src/messages/drain.js";
import { send } from "../../src/messages/send.js";
import { until } from "../home.js";
import type { ErrorStatus } from "./api.js";
import { clientVersions } from "./install.js";
import { subscriber } from "./plays.js";
import { movedOn } from "./sees.js";
import { sharedStage } from "./shared.js";
import { type Watched, watchClient, watchIn } from "./watched.js";

const failures: [ErrorStatus, string, RegExp][] = [
  [500, "oops", /^error: API Error: 500 oops/],
  [529, "Overloaded", /^error: API Error: 529/],
  [429, "too many", /^error: API Error: Request rejected \(429\)/],
  [400, "Your credit balance is too low to access the API", /^error: Credit balance (is )?too low/],
  [401, "invalid x-api-key", /^error: Not logged in · Please run \/login/],
  [401, "OAuth token has expired", /^error: Please run \/login/],
  [403, "OAuth token has been revoked", /^error: (OAuth token revoked|Please run \/login|API Error: 403)/],
];

/** Drawn like an answer: only the transcript tells. */
const plainFailures: typeof failures = [
  [404, "model: nobody", /^error: There's an issue with the selected model/],
  [413, "too large", /^error: Request too large/],
];

/** Such replies are drawn as the client draws its own errors. */
const decoys = [
  "API Error: 500 is what the client says when the server fails.",
  "Credit balance is too low",
  "Not logged in · Please run /login",
  "Invalid API key · Please run /login",
  "OAuth token revoked · Please run /login",
  "There's an issue with the selected model, I think.",
  "You've hit your weekly limit",
  "Prompt is too long",
];

let tries = 0;

async function fail(watched: Watched, error: ErrorStatus = 500, message = "oops"): Promise<void> {
  const prompt = `try ${++tries}`;
  watched.api.next(...Array.from({ length: 6 }, () => ({ error, message })));
  await watched.ask(prompt);
  await watched.client.waitForScreen(new RegExp(`❯ ${prompt}\\n[^]* for \\d+s`));
  await watched.client.waitForStatus("idle");
  watched.api.forget();
}

describe.each(clientVersions)("the real client %s", (version) => {
  const clientOf = sharedStage((world) => watchIn(world, version));

  it.each(failures)("is in error after %i %s", async (error, message, expected) => {
    const watched = await clientOf();
    await fail(watched, error, message);
    await watched.becomes("the error", expected);
    await watched.becomes("the error on its screen", expected, watched.blind);
  });

  it.each(plainFailures)("is in error after %i %s, by its transcript", async (error, message, expected) => {
    const watched = await clientOf();
    await fail(watched, error, message);
    await watched.becomes("the error", expected);
  });

  it("is short of context after a prompt that is too long", async () => {
    const watched = await clientOf();
    await fail(watched, 400, "prompt is too long: 250000 tokens > 200000 maximum");
    await watched.becomes(
      "the end of its context",
      /^context-low: (Prompt is too long|Context limit reached)/,
    );
  });

  it("is idle when the model's own words begin like an error", async () => {
    const watched = await watchClient(version, { env: subscriber });
    const wrong: string[] = [];
    for (const text of decoys) {
      watched.api.next({ text });
      await watched.ask("what does it say?");
      await watched.client.waitForScreen(/ for \d+s/);
      const { sessionId } = await watched.client.waitForStatus("idle");
      await watched.client.settled();
      await watched.becomes(text, /^idle$/).catch(async () => wrong.push(`${text}: ${await watched.told()}`));
      await watched.ask("/clear");
      await movedOn(watched.client, sessionId!);
      await watched.client.settled();
    }
    expect(wrong).toEqual([]);
  });

  it("is in error at once when an answer stood before it, and when the model had talked like one", async () => {
    const watched = await watchClient(version);
    for (const text of ["fine", "API Error: 500 is an error."]) {
      watched.api.next({ text });
      await watched.ask("how is it going?");
      await watched.becomes("the answer", /^idle$/);
    }
    await fail(watched);
    await watched.becomes("the failure", /^error: API Error: 500 oops/);
  });

  it("is idle when an answer, a command or a shell line of a person has overtaken the error", async () => {
    const watched = await watchClient(version);
    const { client, api } = watched;
    const isOver = async (step: string) => {
      await watched.becomes(step, /^idle$/);
      await client.settled();
      // A shell line and a prompt make it busy once more; an error would stay.
      await watched.becomes(`${step}, once more`, /^idle$/);
    };
    await fail(watched);
    await watched.ask("/rename bob");
    await client.waitForScreen(/renamed to: bob/);
    await isOver("/rename");

    await fail(watched, 401, "invalid x-api-key");
    await client.settled();
    client.type("!");
    await client.waitForScreen(/for shell mode/);
    client.type("ls");
    await client.settled();
    client.keys("Enter");
    await isOver("!ls");

    await fail(watched);
    api.next({ text: "fine" });
    await watched.ask("once more");
    await client.waitForScreen(/● fine/);
    await isOver("an answer");

    await fail(watched);
    api.next({ text: "late", held: true });
    await watched.ask("and now");
    await client.waitForStatus("busy");
    await client.settled();
    client.keys("Escape");
    await client.waitForStatus("idle");
    await isOver("a prompt that was taken back");
    client.keys("C-u");
    await isOver("an empty box again");

    await fail(watched);
    await watched.ask("/clear");
    await isOver("/clear");
  });

  it("is idle when it was started again after the error", async () => {
    const watched = await watchClient(version);
    await fail(watched);
    const { sessionId } = watched.client.registryFile()!;
    // A client that is ended before it has written the failure down cannot be resumed.
    await until("the error in the transcript", () =>
      watched.client.transcript(sessionId!).some(({ isApiErrorMessage }) => isApiErrorMessage === true),
    );
    await watched.client.end();
    watched.home.tmux("kill-session", "-t", "=team");
    const again = await watched.start(version, { args: ["--resume", sessionId!] });
    await again.waitForScreen(/API Error/);
    await again.settled();
    await watched.becomes("its start", /^idle$/);
  });

  it("gets its messages after an error when a person releases it, and by itself once it has answered", async () => {
    const watched = await watchClient(version);
    const { hive, client, api } = watched;
    await fail(watched);
    await watched.becomes("the error", /^error/);
    const sent = await send(hive, client.paneId, "first");
    expect(sent).toMatchObject({
      outcome: "queued",
      why: expect.stringContaining("hivemind release team:0.0"),
    });
    await send(hive, client.paneId, "second");
    const [agent] = hive.stores.queues.agents();
    expect(await drain(hive, agent!)).toMatchObject({ fates: [], stopped: { kind: "failed" } });

    api.when(/./, { text: "well" });
    const released = await drain(hive, agent!, { isReleased: true });
    expect(released.fates.map(({ step }) => step)).toContain("accepted");
    await watched.becomes("an answer", /^idle$/);
    await drain(hive, agent!);
    await client.waitForScreen(/second/);
    await watched.becomes("the last answer", /^idle$/);
    expect(hive.stores.queues.read(agent!).messages).toEqual([]);
  });
});
