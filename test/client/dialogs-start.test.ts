// The questions that the real client begins with: read, named, answered by its cursor, and never closed by a key that ends it.

import { describe, expect, it } from "vitest";
import { until } from "../home.js";
import { startUps } from "./dialog-plays.js";
import { staged } from "./dialog-stage.js";
import { clientVersions } from "./install.js";

/** The dialog is shown as it stands, and the client lives. */
function expectNoEscape({ client, run, isDead }: Awaited<ReturnType<typeof staged>>): void {
  const before = client.screen();
  const { code, stderr } = run("dismiss");
  expect([code, stderr]).toEqual([1, expect.stringContaining(`hivemind go ${client.paneId}`)]);
  const shown = before.filter((row) => row.trim() !== "").at(-1)!;
  expect(stderr).toContain(shown.trim());
  expect(run("send", "hello")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/its agent is waiting for an answer/),
  });
  expect(isDead()).toBe(false);
  expect(client.screen()).toEqual(before);
}

describe.each(clientVersions)("the start-up questions of %s", (version) => {
  it.each([
    ["trust", "approve", /Do you trust \/.*\/work\? \d\. Yes, I trust this folder/],
    ["bypass", "approve", /Run without any permission prompt .* 2\. Yes, I accept/],
    ["server", "approve", /Use the MCP server one of this project\? 1\. Use this MCP server/],
    ["imports", "approve", /Allow external CLAUDE\.md file imports\? \d\. Yes, allow external imports/],
    ["key", "approve", /Do you want to use this API key\? 1\. Yes/],
  ] as const)(
    "%s: Escape is refused, %s chooses that option, and the conversation begins",
    async (name, verb, told) => {
      const stage = await staged(version, startUps[name]);
      expectNoEscape(stage);
      expect(stage.run(verb)).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(told) });
      await stage.client.waitForStatus("idle");
    },
  );

  it.each([
    ["server", "reject", /3\. Continue without using this MCP server/],
    ["imports", "reject", /\d\. No, disable external imports/],
    ["key", "reject", /2\. No \(recommended\)/],
  ] as const)("%s: %s chooses that option, and the conversation begins", async (name, verb, told) => {
    const { client, run } = await staged(version, startUps[name]);
    expect(run(verb)).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(told) });
    await client.waitForStatus("idle");
  });

  it("picker: Escape is refused", async () => {
    expectNoEscape(await staged(version, startUps.picker));
  });

  it("trust: reject ends the client, and hivemind says so", async () => {
    const { run, isDead } = await staged(version, startUps.trust);
    const { code, stdout, stderr } = run("reject");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/No, exit/)]);
    expect(stderr).toMatch(/its program has ended|no agent runs in it/);
    await until("its end", isDead);
  });

  it("trust, then a server of the folder: the next question is shown", async () => {
    const prepare = startUps.server.prepare;
    const { client, run } = await staged(version, { prepare, options: startUps.trust.options });
    expect(run("approve")).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/now shows:[\s\S]*New MCP server found in this project: one/),
    });
    expect(run("approve")).toMatchObject({ code: 0, stderr: "" });
    await client.waitForStatus("idle");
  });

  it("trust in a pane with eight rows: an option that is not seen is not chosen", async () => {
    const { options } = startUps.trust;
    const { client, run, isDead } = await staged(version, { options: { ...options, width: 100, height: 8 } });
    const { code, stderr } = run(version === "2.1.325" ? "approve" : "reject");
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/on screen, and its pane is too small, 100x8: hivemind size lock team 200x50/),
    ]);
    expect(isDead()).toBe(false);
    expect(client.registryFile()).toBeNull();
  });

  it("a settings error has no Escape and no yes: its options are listed, and one is chosen by number", async () => {
    const stage = await staged(version, startUps.settings);
    expectNoEscape(stage);
    const { client, run } = stage;
    expect(run("approve")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no option that says yes[\s\S]*3\. Continue without these settings/),
    });
    expect(run("option", "3")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Settings Error 3\./),
    });
    await client.waitForStatus("idle");
  });

  it("the theme is not left by Escape, it is chosen by its place, and the first notes are passed", async () => {
    const stage = await staged(version, startUps.theme);
    expectNoEscape(stage);
    const { client, run } = stage;
    expect(run("option", "3")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Which theme should it use\? 3\. Light mode\n/),
      stderr: expect.stringMatching(/Press Enter to continue/),
    });
    expect(run("approve")).toMatchObject({ code: 0, stderr: "" });
    await client.waitForStatus("idle");
  });

  it("several servers: Escape is refused, and nothing is ticked for a person", async () => {
    const stage = await staged(version, startUps.servers);
    expectNoEscape(stage);
    const { client, run } = stage;
    const before = client.screen();
    expect(run("option", "1")).toMatchObject({ code: 1, stderr: expect.stringMatching(/no option 1/) });
    expect(client.screen()).toEqual(before);
    if (version !== "2.1.325") return;
    expect(run("approve")).toMatchObject({ code: 0, stdout: expect.stringMatching(/Enable selected/) });
    await client.waitForStatus("idle");
  });
});
