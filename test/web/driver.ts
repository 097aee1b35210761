// What the tests of a file share: a team of demo agents, the built `hivemind serve`, and a browser.
//
// A test fails on any error that the page reports, on a violation of its content policy, and on a request to another
// host, unless the test names it.

import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { hivemind, json } from "../command.js";
import { type Json, readTranscript } from "../demo-agent/driver.js";
import { makeHome, removeHome, type TestHome, until } from "../home.js";
import { openBrowser } from "./browser.js";
import { type ServeAtTerminal, serveAtTerminal } from "./serve-at-terminal.js";

export const sizes = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
} as const;

export type Size = keyof typeof sizes;
export const bothSizes = Object.keys(sizes) as Size[];

export interface VisitOptions {
  size?: Size;
  theme?: "light" | "dark";
  /** The address to open (default: a new link). */
  address?: string;
  /** The only place that the page may ask (default: the server). */
  origin?: string;
  /** What the browser may report. */
  expected?: RegExp;
}

export interface Stage {
  home: TestHome;
  serve: ServeAtTerminal;
  browser: Browser;
  /** A new address, as `hivemind serve link` prints it. */
  link(): string;
  /** A page in a context of its own, closed when the test ends. */
  visit(options?: VisitOptions): Promise<Page>;
  /** Runs hivemind, which must succeed. */
  run(...args: string[]): string;
  agentId(role: string): string;
  sessionOf(role: string): string;
  activityOf(role: string): string | null;
  becomes(role: string, activity: string): Promise<void>;
  /** The records of the agent's conversation, as text. */
  records(role: string): string;
  close(): Promise<void>;
}

export interface StageOptions {
  roles?: readonly string[];
  flags?: readonly string[];
  /** Before the server starts. */
  prepare?(home: TestHome): void;
}

export const team = "shop";

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const { roles = [], flags = ["--allow-actions"], prepare } = options;
  const home = makeHome();
  const run = (...args: string[]) => {
    const { code, stdout, stderr } = hivemind(home, args);
    if (code !== 0) throw new Error(`hivemind ${args.join(" ")}: exit ${code}: ${stderr}`);
    return stdout;
  };
  const [browser, serve] = await Promise.all([openBrowser(home.home), startAll()]);

  async function startAll() {
    run("hooks", "install");
    if (roles.length > 0) run("team", "setup", team, ...roles, "--kind", "demo");
    prepare?.(home);
    return serveAtTerminal(home, flags, home.work);
  }

  const agentOf = (role: string) =>
    json<Status>(home, ["status"])
      .teams.flatMap(({ agents }) => agents)
      .find((agent) => agent.role === role) ?? null;
  const link = () => /https?:\/\/\S+/.exec(run("serve", "link"))![0];
  return {
    home,
    serve,
    browser,
    link,
    run,
    visit: (visit = {}) =>
      openPage(browser, { origin: serve.origin, ...visit, address: visit.address ?? link() }),
    agentId: (role) => agentOf(role)!.agent!,
    sessionOf: (role) => agentOf(role)!.uuid!,
    activityOf: (role) => agentOf(role)?.activity ?? null,
    becomes: async (role, activity) =>
      void (await until(`${role} is ${activity}`, () => agentOf(role)?.activity === activity)),
    records: (role) =>
      JSON.stringify(readTranscript(home, home.work, agentOf(role)?.uuid ?? "") ?? ([] as Json[])),
    async close() {
      await browser.close();
      await serve.close();
      removeHome(home);
    },
  };
}

interface Status {
  teams: { agents: { role: string | null; agent: string | null; uuid: string | null; activity: string }[] }[];
}

async function openPage(
  browser: Browser,
  visit: VisitOptions & { address: string; origin: string },
): Promise<Page> {
  const { size = "desktop", theme = "light", address, origin, expected } = visit;
  const context = await browser.newContext({
    ...sizes[size],
    colorScheme: theme,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  // Less than the test's own, so that it says what was never shown.
  page.setDefaultTimeout(20_000);
  const trouble = watchTrouble(context, page, origin, expected);
  onTestFinished(async () => {
    await context.close();
    expect(trouble).toEqual([]);
  });
  await page.goto(address);
  return page;
}

function watchTrouble(
  context: BrowserContext,
  page: Page,
  origin: string,
  expected: RegExp | undefined,
): string[] {
  const trouble: string[] = [];
  const note = (text: string) => {
    if (expected?.test(text) !== true) trouble.push(text);
  };
  // A violation of the content policy is an error of the console, too.
  page.on("console", (message) => {
    const isAnswer = message.text().includes("the server responded with a status");
    if (message.type() === "error" && !isAnswer) note(`console: ${message.text()}`);
  });
  context.on("response", (answer) => {
    if (answer.status() >= 400) note(`${answer.status()} ${answer.request().method()} ${answer.url()}`);
  });
  page.on("pageerror", (error) => note(`page: ${error.stack ?? error.message}`));
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(?:data|blob):/.test(url)) note(`request: ${url}`);
  });
  return trouble;
}
