// Keeps the viewer in step with the teams: what events change in its windows, and what an audit sees of it.
//
// - Without a row in S8, or without a running viewer, nothing is started.
// - A viewer that hangs or fails costs an event one question with a time limit. The failure is reported and the
//   event continues.
// - A viewer that hangs is left alone for a while, so that many events cost no more than one.

import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import type { TeamName } from "../names/gates.js";
import { ScreenError } from "../screen/error.js";
import { rowWriter } from "../stores/file/row-writer.js";
import { lookAtViewer } from "./look.js";
import { type Difference, differencesOf } from "./team-windows.js";
import { bringWindows } from "./windows.js";
import { type ViewerWorld, whileAlone } from "./world.js";

export type ViewerFollower = ReturnType<typeof openFollower>;

export function openFollower(world: ViewerWorld, report: (warning: string) => void) {
  const { stores } = world;
  const rows = rowWriter(stores);
  const teams = () => stores.viewerWindows.read().rows.map(({ team }) => team);

  let hungUntilMs = 0;

  /** Null if no viewer is set up, and after a failure. */
  async function whileSetUp<T>(work: () => Promise<T>): Promise<T | null> {
    if (teams().length === 0 || performance.now() < hungUntilMs) return null;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HiveError)) throw error;
      const isHung = error instanceof ScreenError && error.reason === "timeout";
      if (isHung) hungUntilMs = performance.now() + limits.viewerAgainMs;
      report(`the viewer: ${error.message}${error.hint ? ` (${error.hint})` : ""}`);
      return null;
    }
  }

  /** Calls `wanted` while it holds the viewer. */
  const bring = (wanted: () => readonly TeamName[]) =>
    whileSetUp(() =>
      whileAlone(world, async () => {
        const look = await lookAtViewer(world);
        if (look !== null) await bringWindows(world, look, wanted());
      }),
    );

  return {
    async added(team: TeamName): Promise<void> {
      await bring(() => [...teams(), team]);
    },
    async removed(team: TeamName): Promise<void> {
      if (teams().includes(team)) await bring(() => teams().filter((each) => each !== team));
      await rows.removeViewerWindow(team);
    },
    async renamed(old: TeamName, renamed: TeamName): Promise<void> {
      const isOurs = teams().includes(old);
      await rows.renameViewerWindow(old, renamed);
      if (isOurs) await bring(teams);
    },
    /** Differences between the viewer and its window names; none without a viewer or an answer. */
    async differences(): Promise<readonly Difference[]> {
      const found = await whileSetUp(async () => {
        const look = await lookAtViewer(world);
        return look && differencesOf(look, stores.viewerWindows.read().rows);
      });
      return found?.filter(({ isClaimed }) => isClaimed) ?? [];
    },
  };
}
