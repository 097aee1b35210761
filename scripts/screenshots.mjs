// Makes the pictures of docs/serve.md and the README: `hivemind serve` on two teams of demo agents, in chromium.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { plantConversations } from "./planted-conversations.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const images = join(root, "docs/images");
const main = join(root, "dist/main.cjs");
const home = mkdtempSync(join(tmpdir(), "demo-"));
const [folder, second] = [join(home, "src/shop"), join(home, "src/manual")];
const env = {
  ...{
    HOME: home,
    TMPDIR: home,
    PATH: process.env.PATH,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    SHELL: "/bin/sh",
  },
  ...{ HIVEMIND_CONFIG_DIR: join(home, "config"), HIVEMIND_TMUX_SOCKET: join(home, "agents") },
  ...{ CLAUDE_CONFIG_DIR: join(home, "claude"), XDG_CACHE_HOME: join(home, "cache") },
};
// A person's terminal: the server acts for whoever started it there.
const tmux = (socket, ...args) =>
  execFileSync("tmux", ["-u", "-S", join(home, socket), "-f", "/dev/null", ...args], {
    env,
    encoding: "utf8",
  });
const atTerminal = (name, ...words) => {
  const variables = Object.entries(env).flatMap(([key, value]) => ["-e", `${key}=${value}`]);
  const size = ["-x", "200", "-y", "50"];
  const program = ["env", "-u", "TMUX", process.execPath, main, ...words];
  tmux(
    "person",
    "start-server",
    ";",
    "set-option",
    "-g",
    "remain-on-exit",
    "on",
    ";",
    "new-session",
    "-d",
    "-s",
    name,
    ...size,
    "-c",
    folder,
    ...variables,
    ...program,
  );
};
const hivemindIn = (cwd, ...args) =>
  execFileSync(process.execPath, [main, ...args], { env, cwd, encoding: "utf8", stdio: "pipe" });
const hivemind = (...args) => hivemindIn(folder, ...args);

let browser;
try {
  plantConversations({ client: env.CLAUDE_CONFIG_DIR, folders: [folder, second] });
  await startFleet();
  atTerminal("serve", "serve", "--allow-actions", "--port", "0");
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    env: { PATH: env.PATH, HOME: home },
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });
  await takePictures(await shown("serve", /https?:\/\/\S+#secret=[\w-]+/));
} finally {
  await browser?.close();
  for (const socket of ["person", "agents"]) quietly(() => tmux(socket, "kill-server"));
  await rest(500);
  rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

async function startFleet() {
  atTerminal("hooks", "hooks", "install");
  await shown("hooks", /Pane is dead/);
  hivemind("team", "setup", "shop", "architect", "builder", "tester", "reviewer", "--kind", "demo");
  hivemindIn(second, "team", "setup", "manual", "writer", "editor", "--kind", "demo");
  const say = (name, ...words) => hivemind("send", name, "--wait", words.join(" "));
  say("architect", "Plan the checkout: cart, payment, receipt [usage 610000]");
  say("builder", "Read the plan [usage 520000]");
  say("tester", "Read the plan [usage 310000]");
  say("reviewer", "Read the plan [usage 380000]");
  say("writer", "Describe the checkout in the manual [usage 240000]");
  say("editor", "Shorten the first page [usage 120000]");
  hivemind("agent", "fork", "architect", "--as", "second", "--team", "shop");
  say("second", "Plan it again with a single page [usage 640000]");
  hivemind("agent", "fork", "second", "--as", "third", "--team", "shop");
  say("third", "And once more without accounts [usage 655000]");
  hivemind("send", "builder", "Build what was planned [busy 600000]");
  hivemind("send", "reviewer", "Check the branch [ask npm test -- --coverage checkout]");
  hivemind(
    "send",
    "tester",
    "Choose [choose Which browsers should the tests use? | Firefox and Chromium | Chromium only]",
  );
}

async function takePictures(address) {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 720 },
    deviceScaleFactor: 1.25,
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole("link", { name: "Review reviewer" }).waitFor();
  await page.getByRole("link", { name: "Review tester" }).waitFor();
  await picture(page, "board");
  await page.evaluate(() => Object.assign(globalThis, { location: "#/lineage?by=family" }));
  await page.getByRole("button", { name: "Show all" }).click();
  await picture(page, "lineage");
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Board" }).click();
  await page.getByRole("link", { name: "reviewer", exact: true }).click();
  await page.getByRole("region", { name: "Terminal of reviewer" }).getByText("Do you want").waitFor();
  await picture(page, "agent");
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Inbox" }).click();
  await page.setViewportSize({ width: 390, height: 780 });
  await page.getByRole("button", { name: "Approve" }).waitFor();
  await picture(page, "inbox-phone");
}

async function picture(page, name) {
  const bytes = await page.screenshot({ animations: "disabled" });
  writeFileSync(join(images, `${name}.png`), bytes);
  console.log(`docs/images/${name}.png ${Math.round(bytes.length / 1000)} kB`);
}

async function shown(name, text) {
  for (let tries = 400; tries > 0; tries--) {
    const [found] = text.exec(tmux("person", "capture-pane", "-p", "-J", "-t", `=${name}:`)) ?? [];
    if (found !== undefined) return found;
    await rest(50);
  }
  throw new Error(`never shown: ${text}\n${tmux("person", "capture-pane", "-p", "-t", `=${name}:`)}`);
}

function quietly(act) {
  try {
    act();
  } catch {
    // It has ended already.
  }
}
