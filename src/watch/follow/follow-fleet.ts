// Keeps what a face shows of the fleet fresh, at little cost. `top` and `serve` share it.
//
// - A report of an agent is shown within a fraction of a second: only its file is read. A look confirms it within seconds.
// - tmux announces nothing, so a glance asks it every few seconds whether the panes are still the same. The same call
//   brings what the shown pane shows, more often while its agent works.
// - All else comes with a look at everything: after a request of an agent or a change of the stores, after what a person
//   did here, every `topTickMs` while agents work or one of them does not report, and every `topCalmMs` otherwise.
// - A report that comes during a look is read again after it: the look may have seen the agent before that.

import { join } from "node:path";
import { type Reporter, type RereadResult, reread } from "../../fleet/activity/reread.js";
import type { Overview } from "../../hive/attention.js";
import type { Hive } from "../../hive/hive.js";
import { limits } from "../../limits.js";
import type { PaneId } from "../../names/gates.js";
import { glanceAt } from "../../tmux/glance.js";
import { openFolderWatch } from "../folder-watch.js";
import { openLookCost } from "../look-cost.js";
import { type Haste, isCalm, moreUrgent, restBefore } from "./pace.js";
import type { Patches } from "./patch-view.js";

/** A face that shows the fleet. */
export interface FleetListener {
  looked(seen: Overview): void;
  /** What some agents reported since the look. */
  patched(patches: Patches): void;
  /** The last look failed: what is shown is old. */
  failed(error: unknown): void;
  /** Some time has passed. */
  glanced(): void;
  /** A file of the stores changed; null if the system does not say which. */
  stored?(path: string | null): void;
  /** The pane whose screen the glances bring; null without one. */
  shown(): GlancedPane | null;
  showed(pane: PaneId, screen: string): void;
}

export interface GlancedPane {
  pane: PaneId;
  isBusy: boolean;
}

export class FleetFollower {
  private readonly folders = openFolderWatch(
    (folder, name) => this.changed(folder, name),
    () => {},
  );
  private readonly alarm = openAlarm();
  private readonly cost = openLookCost();
  private readonly storeFolders: readonly string[];
  private reporters = new Map<string, Reporter>();
  private places: string | null = null;
  private haste: Haste = "calm";
  private glancedMs = 0;
  /** Files that changed, until they are read together. */
  private readonly touched = new Set<string>();
  private gathering: NodeJS.Timeout | undefined;
  /** Files that changed during a look; null if none runs. */
  private missed: Set<string> | null = null;

  constructor(
    private readonly hive: Hive,
    private readonly listener: FleetListener,
  ) {
    const { folder, queueFolder, hookFolder, requestFolder } = hive.paths;
    this.storeFolders = [folder, queueFolder, hookFolder, requestFolder];
  }

  async run(ended: AbortSignal): Promise<void> {
    try {
      while (!ended.aborted) {
        const lookMs = await this.look(ended);
        await this.untilNextLook(performance.now(), lookMs, ended);
      }
    } finally {
      clearTimeout(this.gathering);
      this.folders.close();
    }
  }

  /** A person changed something. */
  lookAtOnce(): void {
    this.hurry("at once");
  }

  /** Another pane may be shown. */
  chosen(): void {
    this.alarm.ring();
  }

  private async untilNextLook(lookedMs: number, lookMs: number, ended: AbortSignal): Promise<void> {
    for (;;) {
      const lookInMs = lookedMs + restBefore(this.haste, lookMs) - performance.now();
      if (ended.aborted || lookInMs <= 0) return;
      const everyMs = this.listener.shown()?.isBusy ? limits.topPaneMs : limits.topGlanceMs;
      const glanceInMs = this.glancedMs + everyMs - performance.now();
      if (glanceInMs > 0) await this.alarm.wait(Math.min(lookInMs, glanceInMs), ended);
      else await this.glance();
    }
  }

  private changed(folder: string, name: string | null): void {
    const isStore = this.storeFolders.includes(folder);
    if (isStore) {
      this.hurry(folder === this.hive.paths.requestFolder ? "now" : "soon");
      this.listener.stored?.(name === null ? null : join(folder, name));
    } else if (name === null) this.hurry("soon");
    else if (name.endsWith(".json")) this.touch(join(folder, name));
  }

  private hurry(by: Haste): void {
    this.haste = moreUrgent(this.haste, by);
    this.alarm.ring();
  }

  private touch(path: string): void {
    this.touched.add(path);
    this.missed?.add(path);
    this.gathering ??= setTimeout(() => this.readTouched(), limits.topGatherMs);
  }

  private readTouched(): void {
    this.gathering = undefined;
    const read = [...this.touched].map((path) => ({ path, result: this.readAgain(path) }));
    this.touched.clear();
    const news = read.flatMap(({ path, result }) => (result.is === "new" ? [{ path, ...result }] : []));
    for (const { path, reporter } of news) this.reporters.set(path, reporter);
    const patches = new Map(news.map(({ reporter, doing }) => [reporter.pane.id as string, doing]));
    if (patches.size > 0) this.listener.patched(patches);
    // Its pane shows something else now.
    if (patches.has(this.listener.shown()?.pane ?? "")) this.glancedMs = 0;
    if (read.some(({ result }) => result.is === "unclear")) this.hurry("now");
    else if (news.length > 0) this.hurry("soon");
  }

  private readAgain(path: string): RereadResult {
    const reporter = this.reporters.get(path);
    try {
      return reporter === undefined ? { is: "unclear" } : reread(reporter, Date.now());
    } catch {
      // The look says what is wrong.
      return { is: "unclear" };
    }
  }

  /** Resolves to what it cost. Nobody hears of a look that ends after the follower. */
  private async look(ended: AbortSignal): Promise<number> {
    this.cost.begin();
    const missed = new Set<string>();
    this.haste = "calm";
    this.missed = missed;
    try {
      const seen = await this.hive.overview();
      if (!ended.aborted) this.show(seen);
    } catch (error) {
      if (!ended.aborted) this.listener.failed(error);
      this.hurry("soon");
    }
    this.missed = null;
    if (!ended.aborted) for (const path of missed) this.touch(path);
    return this.cost.end();
  }

  private show(seen: Overview): void {
    this.reporters = new Map(seen.reporters);
    this.places = seen.places;
    this.glancedMs = Math.max(this.glancedMs, this.listener.shown()?.isBusy ? 0 : performance.now());
    this.listener.looked(seen);
    this.folders.follow([...this.storeFolders, ...seen.liveFolders]);
    if (!isCalm(seen.fleet)) this.hurry("soon");
  }

  private async glance(): Promise<void> {
    const shown = this.listener.shown();
    try {
      const seen = await glanceAt(this.hive.tmux, shown?.pane ?? null);
      if (this.places !== null && seen.places !== this.places) this.hurry("now");
      if (shown !== null && seen.screen !== null) this.listener.showed(shown.pane, seen.screen);
    } catch {
      // The look says what is wrong.
      this.hurry("now");
    }
    this.glancedMs = performance.now();
    this.listener.glanced();
  }
}

/** A wait that something can end. */
function openAlarm() {
  let end = () => {};
  return {
    ring: () => end(),
    wait(ms: number, ended: AbortSignal): Promise<void> {
      return new Promise((resolve) => {
        const timer = setTimeout(() => end(), ms);
        const stop = () => end();
        ended.addEventListener("abort", stop);
        end = () => {
          clearTimeout(timer);
          ended.removeEventListener("abort", stop);
          end = () => {};
          resolve();
        };
      });
    },
  };
}
