// The questions of the real client in a conversation: read, named, and answered by its cursor.

import { describe, expect, it } from "vitest";
import { readBox } from "../../src/agents/claude/screen/input-box.js";
import { until } from "../home.js";
import type { RealClient } from "./client.js";
import { ask, planned } from "./dialog-plays.js";
import { staged, stagedIn } from "./dialog-stage.js";
import { clientVersions } from "./install.js";
import { sharedStage } from "./shared.js";

const asking = ["--permission-mode", "default"];

function cursor(client: RealClient): string | undefined {
  const box = readBox(client.screenWithColours());
  return box.kind === "dialog" ? box.options.find(({ isAtCursor }) => isAtCursor)?.label : undefined;
}

describe.each(clientVersions)("the questions of %s in a conversation", (version) => {
  const touch = { command: "touch made", description: "Make it" };
  const clientOf = sharedStage((world) => stagedIn(world, version, { options: { args: asking } }));

  /** A tool that asks, in an empty conversation. */
  async function asked(tool: string, input: object, shown: RegExp) {
    const stage = await clientOf();
    stage.api.next({ tool, input: input as Record<string, unknown> }, { text: "all done" });
    await stage.client.submit("please go on");
    await stage.client.waitForScreen(shown);
    await stage.client.settled();
    return stage;
  }

  it.each([
    ["Bash", touch, "approve", /proceed\? 1\. Yes\n/],
    ["Bash", touch, "reject", /proceed\? \d\. No\n/],
    [
      "Write",
      { file_path: "/tmp/hm-dialogs.txt", content: "x\n" },
      "reject",
      /create hm-dialogs\.txt\? 3\. No/,
    ],
    ["WebFetch", { url: "http://127.0.0.1:9/x", prompt: "what" }, "reject", /fetch this content\? 3\. No/],
    ["Read", { file_path: "/etc/hostname" }, "approve", /proceed\? 1\. Yes\n/],
  ] as const)("%s %j: %s", async (tool, input, verb, told) => {
    const { client, run } = await asked(tool, input, /Yes/);
    expect(run(verb)).toMatchObject({ code: 0, stdout: expect.stringMatching(told) });
    await client.waitForStatus("idle");
  });

  it("a person's words in an option are neither added to nor sent", async () => {
    const { client, run } = await asked("Bash", touch, /1\. Yes/);
    client.keys("Tab");
    await client.waitForScreen(/tell Claude what to do next/);
    client.type("and tidy up");
    await client.waitForScreen(/and tidy up/);
    expect(run("approve")).toMatchObject({ code: 1, stderr: expect.stringMatching(/text field/) });
    expect(client.screen().join("\n")).toMatch(/1\. Yes, and tidy up\s*\n/);
    expect(run("reject")).toMatchObject({ code: 0 });
    await client.waitForStatus("idle");
  });

  it("of several colours one is ticked, and the answers are sent", async () => {
    const questions = { questions: [ask("Which colours?", "Colours", true)] };
    const { client, run } = await asked("AskUserQuestion", questions, /1\. \[ \] Red/);
    expect(run("option", "2")).toMatchObject({ code: 0, stdout: expect.stringMatching(/2\. \[ \] Blue/) });
    await client.waitForScreen(/2\. \[✔\] Blue/);
    expect(run("approve")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Which colours\? Submit\n/),
    });
    expect(run("approve")).toMatchObject({ code: 0, stdout: expect.stringMatching(/1\. Submit answers/) });
    await client.waitForScreen(/Which colours\? → Blue/);
  });

  it("two questions in one dialog are two answers", async () => {
    const questions = { questions: [ask("Which colour?", "First"), ask("Which other?", "Second")] };
    const { client, run } = await asked("AskUserQuestion", questions, /1\. Red/);
    expect(run("option", "2")).toMatchObject({ code: 0, stderr: expect.stringMatching(/☒ First/) });
    expect(run("option", "1")).toMatchObject({ code: 0, stderr: expect.stringMatching(/Submit answers/) });
    expect(run("approve")).toMatchObject({ code: 0 });
    await client.waitForStatus("idle");
  });

  it("an option that wants words is left to a person", async () => {
    const questions = { questions: [ask("Which colour?", "Colour")] };
    const { client, run } = await asked("AskUserQuestion", questions, /1\. Red/);
    expect(run("option", "3")).toMatchObject({ code: 1, stderr: expect.stringMatching(/text field/) });
    expect(run("approve")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no option that says yes/),
    });
    expect(run("option", "2")).toMatchObject({ code: 0, stdout: expect.stringMatching(/2\. Blue/) });
    await client.waitForScreen(/Which colour\? → Blue/);
  });

  it("a plan is approved with every edit asked for, or dismissed", async () => {
    const { client, api, run } = await staged(version, { options: { args: ["--permission-mode", "plan"] } });
    await planned(client, api);
    await client.settled();
    expect(run("dismiss")).toMatchObject({ code: 0 });
    await client.waitForStatus("idle");
    api.next({ tool: "ExitPlanMode", input: {} }, { text: "all done" });
    await client.settled();
    await client.submit("again");
    await client.waitForScreen(/manually approve/);
    await client.settled();
    expect(run("approve")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/2\. Yes, manually approve/),
    });
    await client.waitForScreen(/all done/);
  });

  const talked = sharedStage(
    async (world) => {
      const stage = await stagedIn(world, version, { options: { args: asking } });
      stage.api.next({ text: "good day" });
      await stage.client.submit("hello");
      await stage.client.waitForScreen(/good day/);
      return stage;
    },
    async () => {},
  );

  it.each(["/status", "/theme", "/model", "/resume", "/rewind", "/help", "/hooks", "/memory", "/export"])(
    "%s is closed by dismiss",
    async (command) => {
      const { client, run } = await talked();
      await client.waitForStatus("idle");
      await client.settled();
      await client.submit(command);
      await until("a dialog", () => readBox(client.screenWithColours()).kind === "dialog");
      await client.settled();
      expect(run("dismiss")).toMatchObject({ code: 0, stdout: expect.stringMatching(/dismissed/) });
      await until("its box", () => readBox(client.screenWithColours()).kind === "empty");
    },
  );

  it("a cursor that a person moved is moved back", async () => {
    const { client, run } = await asked("Bash", touch, /1\. Yes/);
    client.keys("Down");
    await until("the cursor", () => cursor(client)?.startsWith("Yes, and"));
    expect(run("approve")).toMatchObject({ code: 0, stdout: expect.stringMatching(/proceed\? 1\. Yes\n/) });
    await client.waitForScreen(/all done/);
  });
});
