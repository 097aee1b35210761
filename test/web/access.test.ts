// Who may look and act in the browser, and what the page says when the server is away.

import type { Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openStage, type Stage } from "./driver.js";
import { goTo, itemOf, rowOf } from "./find-parts.js";
import { openRelay } from "./relay.js";

const loginTitle = "Open hivemind with a fresh link";

describe("a server that allows actions", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({
      roles: ["lead", "builder"],
      flags: ["--allow-actions", "--allow-typing"],
    });
  });
  afterAll(() => stage.close());

  test("an address opens the page once; a second browser needs another link, also in the same tab", async () => {
    const address = stage.link();
    const first = await stage.visit({ address });
    await rowOf(first, "lead").waitFor();
    const second = await stage.visit({ address, expected: /^401 POST/ });
    await second.getByRole("heading", { name: loginTitle }).waitFor();
    await second.getByText("hivemind serve link").first().waitFor();
    await second.getByText("this link was used already, or has expired").waitFor();
    await second.goto(stage.link());
    await rowOf(second, "lead").waitFor();
    expect(second.url()).not.toContain("secret");
  });

  test("a reload keeps the access, and another tab does not have it", async () => {
    const page = await stage.visit();
    await rowOf(page, "lead").waitFor();
    await page.reload();
    await rowOf(page, "lead").waitFor();
    const other = await page.context().newPage();
    await other.goto(stage.serve.origin);
    await other.getByRole("heading", { name: loginTitle }).waitFor();
  });

  test("the first view is at most 150 kB, compressed", async () => {
    const page = await stage.visit({ address: "about:blank" });
    const finished: Request[] = [];
    page.on("requestfinished", (request) => finished.push(request));
    await page.goto(stage.link());
    await rowOf(page, "lead").waitFor();
    const files = finished.filter((request) => !request.url().includes("/api/"));
    const sizes = await Promise.all(files.map((request) => request.sizes()));
    expect(files.length).toBeGreaterThan(2);
    const bytes = sizes.map(
      ({ responseHeadersSize, responseBodySize }) => responseHeadersSize + responseBodySize,
    );
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(150_000);
  });

  test("the keyboard alone reaches a request and approves it", async () => {
    const page = await stage.visit();
    await rowOf(page, "builder").waitFor();
    stage.run("send", "builder", "check it [ask npm run by-keyboard]");
    await page.getByRole("link", { name: "Review builder" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    const approve = itemOf(page, "builder").getByRole("button", { name: "Approve" });
    await approve.waitFor();
    await page.keyboard.press("j");
    const isFocused = () => approve.evaluate((button) => button === button.ownerDocument.activeElement);
    for (let presses = 0; !(await isFocused()); presses++) {
      expect(presses).toBeLessThan(10);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.getByText("builder: approved Bash: npm run by-keyboard").waitFor();
    await stage.becomes("builder", "idle");
    expect(stage.records("builder")).toContain("hook_permission_decision");
  });

  test("with --allow-typing the terminal takes keys", async () => {
    const page = await stage.visit();
    await rowOf(page, "lead").getByRole("link", { name: "lead" }).click();
    const terminal = page.getByRole("region", { name: "Terminal of lead" });
    await terminal.getByText("for shortcuts").waitFor();
    await terminal.getByRole("textbox").focus();
    await page.keyboard.type("typed in a browser");
    await terminal.getByText("typed in a browser").waitFor();
    await page.keyboard.press("Enter");
    await terminal.getByText("Heard: typed in a browser").waitFor();
  });

  test("a killed server that comes back asks for a link, and then the page goes on", async () => {
    const page = await stage.visit({ expected: /ERR_|^401|fetching the script/ });
    await rowOf(page, "lead").waitFor();
    await stage.serve.signal("SIGKILL");
    await page.getByText("Not connected.").waitFor();
    await rowOf(page, "lead").waitFor();
    await stage.serve.startAgain();
    await page.getByRole("heading", { name: loginTitle }).waitFor();
    await page.goto(stage.serve.address());
    await rowOf(page, "lead").waitFor();
    await page.getByText("Not connected.").waitFor({ state: "detached" });
  });
});

test("if the connection breaks, the page says how old it is, and comes back by itself", async () => {
  const relay = await openRelay();
  const stage = await openStage({ roles: ["lead"], flags: ["--host", relay.host] });
  onTestFinished(async () => {
    relay.close();
    await stage.close();
  });
  relay.leadTo(Number(new URL(stage.serve.origin).port));
  const origin = `http://${relay.host}`;
  const page = await stage.visit({
    origin,
    address: stage.link().replace(stage.serve.origin, origin),
    expected: /ERR_|fetching the script/,
  });
  await rowOf(page, "lead").getByText("idle").waitFor();
  relay.cut();
  await page.getByText("Not connected.").waitFor();
  await page.getByText("What you see is from").waitFor();
  await rowOf(page, "lead").waitFor();
  relay.mend();
  await page.getByText("Not connected.").waitFor({ state: "detached" });
  stage.run("send", "lead", "think [busy 1500]");
  await rowOf(page, "lead").getByText("working").waitFor();
});

describe("a server that only looks", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({ roles: ["lead"], flags: [] });
  });
  afterAll(() => stage.close());

  test("shows a request without buttons, and refuses to act", async () => {
    const page = await stage.visit({ expected: /^403 POST/ });
    stage.run("send", "lead", "check it [ask npm run only-look]");
    await goTo(page, "Inbox");
    const item = itemOf(page, "lead");
    await item.getByText("npm run only-look").waitFor();
    await page.getByText("hivemind serve --allow-actions").first().waitFor();
    for (const name of [/Approve/, /Reject/, /Always/])
      expect(await page.getByRole("button", { name }).count()).toBe(0);
    await item.getByRole("link", { name: "lead" }).click();
    await page.getByRole("region", { name: "Terminal of lead" }).waitFor();
    expect(await page.getByRole("textbox", { name: /Message/ }).count()).toBe(0);
    for (const [path, body] of [
      ["/approve", { name: "lead" }],
      ["/send", { name: "lead", text: "hello" }],
      ["/panes/%250/keys", { data: "x" }],
    ] as const)
      expect(await page.evaluate(posted, [path, body] as const), path).toBe(403);
    expect(stage.activityOf("lead")).toBe("waiting");
    expect(stage.records("lead")).not.toContain("hook_permission_decision");
  });
});

/** Runs in the page: the status of a request with the page's own token. */
async function posted([path, body]: readonly [string, unknown]): Promise<number> {
  const { sessionStorage } = globalThis as unknown as { sessionStorage: Record<string, string> };
  const answer = await fetch(`/api/v1${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${sessionStorage["hivemind.token"]}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  return answer.status;
}
