// Whatever stands in the place of the input box, hivemind never calls the real client idle.

import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeHome, removeHome, until } from "../home.js";
import { type ClientVersion, clientVersions } from "./install.js";
import { type Watched, watchClient } from "./watched.js";

const servers = { nope: { command: "/bin/false" } };
const withServers = ["--permission-mode", "default", "--mcp-config", JSON.stringify({ mcpServers: servers })];

/** How it is opened, what the screen then shows, what hivemind says, and in which version there is such a thing. */
type View = [opens: string, shows: RegExp, told: RegExp, only?: ClientVersion];

const views: View[] = [
  ["/rewind", /Restore the code/, /^waiting/],
  ["/mcp", /Manage MCP servers/, /^waiting/],
  ["/agents", /Agents .*Library/, /^waiting/, "2.1.197"],
  ["/config", /Auto-compact/, /^waiting/],
  ["/status", /Session ID/, /^waiting/],
  ["/model", /Select model/, /^waiting/],
  ["/permissions", /Workspace/, /^waiting/],
  ["/memory", /Memory/, /^waiting/],
  ["/help", /Custom commands/, /^waiting/],
  ["/export", /Export conversation/, /^waiting/],
  ["/resume", /Resume session/, /^waiting/],
  ["/hooks", /Hooks/, /^waiting/],
  ["/theme", /Theme/, /^waiting/],
  ["/skills", /Skills/, /^waiting/],
  ["/plugin", /Plugins/, /^waiting/],
  ["/add-dir", /Add directory/, /^waiting/],
  ["/tasks", /Background/, /^waiting/],
  ["/goal", /No goal set/, /^waiting/],
  ["M-p", /Select model/, /^waiting: Select model/],
  ["C-r", /search prompts|Search prompts/, /^waiting: .*[Ss]earch/],
  ["C-o", /Showing detailed transcript/, /^unknown: its transcript view is open/],
];

describe.each(clientVersions)("the real client %s", (version) => {
  it("is never called idle while a dialog or a view covers its box", async () => {
    const watched = await watchClient(version, { args: withServers });
    const { client, api } = watched;
    api.next({ text: "fine" });
    await watched.ask("how is it going?");
    await watched.becomes("the answer", /^idle$/);
    const wrong: string[] = [];
    for (const [opens, shows, told, only] of views) {
      if (only !== undefined && only !== version) continue;
      await open(watched, opens);
      await client.waitForScreen(shows);
      await client.settled();
      const said: string[] = [];
      await until(opens, async () => {
        said.push(await watched.told());
        return told.test(said.at(-1)!);
      }).catch(() => wrong.push(`${opens}: ${said.at(-1)}`));
      if (said.includes("idle")) wrong.push(`${opens}: idle`);
      await close(watched);
    }
    expect(wrong).toEqual([]);
  });

  it("is waiting while it asks, with one question or with several", async () => {
    const watched = await watchClient(version);
    const { client, api } = watched;
    const options = ["Red", "Blue"].map((label) => ({ label, description: label }));
    const question = { question: "Which colour?", header: "Colour", options, multiSelect: false };
    for (const questions of [
      [question],
      [
        { ...question, multiSelect: true },
        { ...question, question: "Which size?", header: "Size" },
      ],
    ]) {
      api.next({ tool: "AskUserQuestion", input: { questions } });
      await watched.ask("what do you think?");
      await client.waitForScreen(/1\. .*Red/);
      await watched.becomes("a question", /^waiting/);
      await watched.becomes("a question on its screen", /^waiting: Which colour/, watched.blind);
      await client.settled();
      client.keys("Escape");
      await watched.becomes("its end", /^idle/);
    }
  });

  it("is busy while it retries, in a wide pane and in a narrow one", async () => {
    for (const width of [100, 30]) {
      const watched = await watchClient(version, {
        width,
        height: 24,
        env: { CLAUDE_CODE_MAX_RETRIES: "10" },
      });
      const busy = Array.from({ length: 9 }, () => ({
        error: 529 as const,
        headers: { "retry-after": "20" },
      }));
      watched.api.next(...busy);
      await watched.ask("go");
      await watched.client.waitForScreen(/attempt 1/);
      await watched.becomes("a retry", /^busy$/);
      await watched.becomes("a retry on its screen", /^busy$/, watched.blind);
    }
  });

  it("is unknown in a pane that is too small for its box, and idle again in a larger one", async () => {
    const { client, home, becomes, told } = await watchClient(version);
    await client.settled();
    for (const [width, height] of [
      ["80", "2"],
      ["4", "4"],
    ]) {
      home.tmux("resize-window", "-t", "=team:0", "-x", width!, "-y", height!);
      await becomes(`${width}×${height}`, /^unknown: its pane is too small/);
      await client.settled();
      expect(await told()).toMatch(/^unknown: its pane is too small/);
    }
    home.tmux("resize-window", "-t", "=team:0", "-x", "80", "-y", "24");
    await becomes("80×24", /^idle$/);
    home.tmux("resize-window", "-t", "=team:0", "-x", "20", "-y", "24");
    await client.settled();
    await becomes("20×24", /^idle$/);
  });

  it("is unknown while a person writes in an editor", async () => {
    const shelf = makeHome();
    onTestFinished(() => removeHome(shelf));
    const editor = join(shelf.root, "editor");
    writeFileSync(editor, "#!/bin/sh\nprintf '\\033[2J\\033[Hthe editor'\nread -r _ </dev/tty\n");
    chmodSync(editor, 0o700);
    const { client, becomes } = await watchClient(version, { env: { EDITOR: editor, VISUAL: editor } });
    await client.settled();
    client.keys("C-g");
    await client.waitForScreen(/the editor/);
    await becomes("the editor", /^unknown/);
    client.keys("Enter");
    await becomes("the end of the editor", /^idle$/);
  });

  it("is not idle once it is suspended", async () => {
    const { client, becomes } = await watchClient(version);
    await client.settled();
    client.keys("C-z");
    // The client says so a moment before it stops itself.
    await client.waitForScreen(/has been suspended/);
    onTestFinished(() => void process.kill(client.pid, "SIGCONT"));
    await becomes("its stop", /^(?!idle)/);
  });

  it("is not idle while it shows its list of agents", async () => {
    const { client, api, ask, becomes, told } = await watchClient(version);
    api.next({ text: "fine" });
    await ask("how is it going?");
    await becomes("the answer", /^idle$/);
    await client.settled();
    client.keys("Left");
    await client.waitForScreen(/describe a task/);
    await becomes("the list", /^(?!idle)/);
    await client.settled();
    expect(await told()).not.toMatch(/^idle/);
  });

  it("waits at its first question in a folder that it does not trust", async () => {
    const { client, becomes } = await watchClient(version, { isTrusted: false, ready: /trust/ });
    await client.waitForScreen(/Yes/);
    await becomes("the question", /^waiting/);
  });

  it("is not idle in the list of sessions that it is started with", async () => {
    const { becomes, client } = await watchClient(version, { args: ["--resume"], ready: /Resume session/ });
    await client.settled();
    await becomes("the list", /^(waiting|unknown)/);
  });
});

async function open({ client }: Watched, how: string): Promise<void> {
  await client.settled();
  if (!how.startsWith("/")) client.keys(how);
  else await client.submit(how);
}

/** Some dialogs have a level below; what says that it is idle has closed. */
async function close({ client, told }: Watched): Promise<void> {
  await until("the box", async () => {
    client.keys("Escape");
    await client.settled();
    return (await told()) === "idle";
  });
}
