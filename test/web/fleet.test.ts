// The fleet in the browser: what it shows live, and what a person does there.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bothSizes, openStage, type Stage } from "./driver.js";
import { goTo, itemOf, rowOf } from "./find-parts.js";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ roles: ["lead", "builder", "tester"] });
});
afterAll(() => stage.close());

test("the printed address opens the board, and does not stay in the address bar", async () => {
  const page = await stage.visit({ address: stage.serve.address() });
  await rowOf(page, "lead").waitFor();
  expect(page.url()).not.toContain("secret");
});

test("in no fleet the page asks for other hosts once", async () => {
  let asked = 0;
  const page = await stage.visit({ address: stage.serve.origin });
  page.on("request", (request) => (asked += new URL(request.url()).pathname === "/api/v1/fleet" ? 1 : 0));
  await page.clock.install();
  const answered = page.waitForResponse("**/api/v1/fleet");
  await page.goto(stage.link());
  expect(await (await answered).json()).toMatchObject({ host: null, hosts: [], agents: [] });
  await rowOf(page, "lead").waitFor();
  await page.clock.fastForward(20_000);
  await goTo(page, "Inbox");
  await goTo(page, "Board");
  await rowOf(page, "lead").waitFor();
  expect(asked).toBe(1);
  expect(await page.getByRole("region", { name: /^Host / }).count()).toBe(0);
});

describe.each(bothSizes)("on a %s", (size) => {
  test("an agent turns busy and idle while one looks", async () => {
    const page = await stage.visit({ size });
    const lead = rowOf(page, "lead");
    await lead.getByText("idle").waitFor();
    stage.run("send", "lead", "think about it [busy 1500]");
    await lead.getByText("working").waitFor();
    await lead.getByText("idle").waitFor();
  });

  test("a request is shown with its command and approved; the conversation proves it", async () => {
    const command = `npm run check-${size}`;
    const page = await stage.visit({ size });
    stage.run("send", "builder", `check it [ask ${command}]`);
    await page.getByRole("link", { name: "Review builder" }).click();
    const item = itemOf(page, "builder");
    await item.getByText(command).waitFor();
    await item.getByRole("button", { name: "Approve" }).click();
    await page.getByText(`builder: approved Bash: ${command}`).waitFor();
    await item.waitFor({ state: "detached" });
    await stage.becomes("builder", "idle");
    const records = stage.records("builder");
    expect(records.slice(records.indexOf(`"command":"${command}"`))).toMatch(
      /"type":"hook_permission_decision","decision":"allow"/,
    );
  });

  test("a request is rejected with a reason, which the agent reads", async () => {
    const reason = `use the other script on a ${size}`;
    const page = await stage.visit({ size });
    stage.run("send", "tester", "deploy it [ask npm publish]");
    await goTo(page, "Inbox");
    const item = itemOf(page, "tester");
    await item.getByRole("button", { name: "Reject" }).click();
    await item.getByLabel("What should it do instead?").fill(reason);
    await item.getByRole("button", { name: "Reject", exact: true }).click();
    await item.waitFor({ state: "detached" });
    await stage.becomes("tester", "idle");
    expect(stage.records("tester")).toContain(reason);
  });

  test("a question is answered by an option, and in words of one's own", async () => {
    const page = await stage.visit({ size });
    await goTo(page, "Inbox");
    const item = itemOf(page, "lead");
    stage.run("send", "lead", `choose [choose Which ${size}? | Red | Blue]`);
    await item.getByRole("radio", { name: "Blue" }).check();
    await item.getByRole("button", { name: "Send answer" }).click();
    await item.waitFor({ state: "detached" });
    stage.run("send", "lead", `again [choose Which other ${size}? | Red | Blue]`);
    await item.getByRole("textbox", { name: "My own words" }).fill("a pale green");
    await item.getByRole("button", { name: "Send answer" }).click();
    await item.waitFor({ state: "detached" });
    await stage.becomes("lead", "idle");
    const told = stage.records("lead");
    expect(told).toContain(`\\"Which ${size}?\\"=\\"Blue\\"`);
    expect(told).toContain(`\\"Which other ${size}?\\"=\\"a pale green\\"`);
  });

  test("a message is sent, and its answer is seen in the terminal", async () => {
    const page = await stage.visit({ size });
    await rowOf(page, "lead").getByRole("link", { name: "lead" }).click();
    const words = `good morning ${size}`;
    await page.getByRole("textbox", { name: "Message to lead" }).fill(words);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("region", { name: "Terminal of lead" }).getByText(`Heard: ${words}`).waitFor();
    await stage.becomes("lead", "idle");
    expect(stage.records("lead")).toContain(words);
  });
});

test("every decision is an event with its source", () => {
  expect(stage.run("events")).toMatch(/request\.decided approved .*web 127\.0\.0\.1/);
});
