// What `hivemind serve` costs with a hundred agents and thousands of conversations, and how soon a browser shows a change.
//
// CPU seconds are those of the server and of the programs it started. The page's clock is the machine's.

import { execFileSync, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as rest } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { atTerminal } from "../test/at-terminal.js";
import { openBrowser } from "../test/web/browser.js";
import type { Bar } from "./bar.js";
import { makeCorpus } from "./corpus.js";
import { type Cost, costsDuring } from "./process-cost.js";
import { type Change, type DemoFleet, startFleet } from "./top-fleet.js";
import { awaited, openWatched, type Painted } from "./web-page.js";

const main = fileURLToPath(new URL("../dist/main.cjs", import.meta.url));

export interface WebRun {
  agents: number;
  sessions: number;
  /** How long the agents work; `quietSeconds` is how long they rest before, without a page and with one. */
  seconds: number;
  quietSeconds: number;
  changesPerSecond: number;
}

export const usualWebRun: WebRun = {
  ...{ agents: 100, sessions: 3000 },
  ...{ seconds: 60, quietSeconds: 30, changesPerSecond: 5 },
};

const firstViews = 5;
/** Of a small conversation. */
const sessionBytes = 3000;

export async function webBars(run: WebRun): Promise<Bar[]> {
  const { agents, sessions, seconds, quietSeconds, changesPerSecond } = run;
  const fleet = await startFleet(agents);
  let browser: Browser | undefined;
  let server: Server | undefined;
  try {
    makeCorpus({
      folder: fleet.env.CLAUDE_CONFIG_DIR!,
      transcripts: sessions,
      bytes: sessions * sessionBytes,
      workFolder: `${fleet.root}/work`,
    });
    browser = await openBrowser(fleet.root);
    server = await startServer(fleet);
    const { pid, link } = server;
    const resting = async () => void (await rest(quietSeconds * 1000));
    // It has read everything once, and what it needed for that is free again.
    await (await openWatched(browser, link(), agents)).close();
    await rest(10_000);
    const alone = await costsDuring({ server: pid }, resting);
    const views = [];
    for (let count = 0; count < firstViews; count++) {
      const view = await openWatched(browser, link(), agents);
      views.push(view);
      await view.close();
    }
    const drawn = await lineageDraw(browser, link());
    const watched = await openWatched(browser, link(), agents);
    const looked = await costsDuring({ server: pid }, resting);
    const changes: Change[] = [];
    fleet.onChange((change) => void changes.push(change));
    const busy = await costsDuring({ server: pid }, () => fleet.drive(changesPerSecond, seconds));
    const delays = delaysOf(changes, await watched.painted(), keysOf(fleet));
    const rate = changes.length / busy.seconds;
    const { files, fleet: fleetBytes } = views[0]!.bytes;
    const firstViewMs = median(views.map((each) => each.firstViewMs));
    const cost = ({ server: { percent, megabytes } }: Record<"server", Cost>) =>
      `${percent.toFixed(2)} % of a core, ${megabytes.toFixed(0)} MB`;
    return [
      bar(
        "change to pixel of `serve` / 300 ms",
        median(delays) / 300,
        `${agents} agents, ${rate.toFixed(1)} changes a second: median ${median(delays).toFixed(0)} ms, 95 % within ${part(delays, 0.95).toFixed(0)} ms; ${delays.length} changes, ${changes.length - delays.length} more were over before they were shown`,
      ),
      bar(
        "first view of `serve` / 150 kB",
        files / 150_000,
        `${kilobytes(files)} compressed, and ${kilobytes(fleetBytes)} for ${agents} agents`,
      ),
      bar(
        "first view of `serve` / 1 s",
        firstViewMs / 1000,
        `median ${firstViewMs.toFixed(0)} ms of ${firstViews}, with ${agents} agents shown`,
      ),
      bar(
        "graph of `serve` drawn / 100 ms",
        drawn.ms / 100,
        `${drawn.ms.toFixed(0)} ms for ${drawn.conversations} conversations`,
      ),
      bar("`serve` without a page / 1 % of a core", alone.server.percent, cost(alone)),
      bar("`serve` with one page / 2 % of a core", looked.server.percent / 2, cost(looked)),
      bar("`serve` resident / 200 MB", busy.server.megabytes / 200, `with one page, at work: ${cost(busy)}`),
    ];
  } finally {
    await browser?.close();
    await server?.end();
    fleet.end();
  }
}

function bar(name: string, ratio: number, detail: string): Bar {
  return { name, ratio, bar: 1, detail };
}

interface Server {
  pid: number;
  /** A new address. */
  link(): string;
  end(): Promise<void>;
}

/** It only looks, so it needs no terminal. A link does. */
async function startServer({ env, root }: DemoFleet): Promise<Server> {
  const child = spawn(process.execPath, [main, "serve", "--port", "0"], {
    env,
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => line.includes("#secret=") && resolve());
    void ended.then(() => reject(new Error("hivemind serve has ended")));
  });
  const [program, args] = atTerminal([process.execPath, main, "serve", "link"]);
  return {
    pid: child.pid!,
    link() {
      const printed = execFileSync(program, args, { env, cwd: root, encoding: "utf8" });
      return /https?:\/\/\S+/.exec(printed)![0];
    },
    async end() {
      child.kill();
      await ended;
    },
  };
}

interface Drawn {
  ms: number;
  conversations: number;
}

/** The layout and the first drawing, as the page itself measures them, and how many conversations it says it shows. */
async function lineageDraw(browser: Browser, address: string): Promise<Drawn> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(address);
  await page.getByRole("link", { name: "Lineage" }).first().click();
  const [layoutMs, drawMs] = [await measured(page, "lineage-layout"), await measured(page, "lineage-draw")];
  const about = await page.getByText(/conversations, [\d,]+ of them running/).innerText();
  await page.close();
  return { ms: layoutMs + drawMs, conversations: Number.parseInt(about.replaceAll(",", ""), 10) };
}

function measured(page: Page, name: string): Promise<number> {
  return awaited(page, `performance.getEntriesByName("${name}")[0]?.duration`);
}

interface Status {
  teams: { agents: { agent: string | null; paneId: string | null }[] }[];
}

/** How the page names the agent of a pane. */
function keysOf({ env, root }: DemoFleet): ReadonlyMap<string, string> {
  const printed = execFileSync(process.execPath, [main, "status", "--json"], { env, cwd: root });
  const { teams } = JSON.parse(printed.toString()) as Status;
  const agents = teams.flatMap((team) => team.agents);
  return new Map(
    agents.map(({ agent, paneId }) => [paneId ?? "", agent === null ? (paneId ?? "") : `@${agent}`]),
  );
}

/** A change that was over before it was shown has no delay. */
function delaysOf(
  changes: readonly Change[],
  painted: readonly Painted[],
  keys: ReadonlyMap<string, string>,
): number[] {
  return changes
    .flatMap((change, at) => {
      const key = keys.get(change.pane);
      const next = changes.slice(at + 1).find(({ pane }) => pane === change.pane);
      const shown = painted.find(
        (each) =>
          each.key === key &&
          each.state === change.status &&
          each.atMs >= change.atMs &&
          each.atMs < (next?.atMs ?? Number.POSITIVE_INFINITY),
      );
      return shown === undefined ? [] : [shown.atMs - change.atMs];
    })
    .sort((a, b) => a - b);
}

function part(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

function median(values: readonly number[]): number {
  return part(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} kB`;
}
