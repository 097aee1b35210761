// The viewer follows the teams: what events do to its windows, and what an audit sees of it.
//
// [VF1] Without a row in S8, or without a running viewer, nothing is started and nothing is asked twice.
// [VF2] A viewer that hangs or fails costs an event one bounded question: it is reported, and the event goes on.
// [VF3] One that hangs is left alone for a while: many events cost no more than one.

import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import type { TeamName } from "../names/gates.js";
import { ScreenError } from "../screen/error.js";
import { rowWriter } from "../stores/row-writer.js";
import { lookAtViewer } from "./look.js";
import { type Difference, differencesOf } from "./seats.js";
import { bringWindows } from "./windows.js";
import { type ViewerWorld, whileAlone } from "./world.js";

export interface ViewerFollower {
  added(team: TeamName): Promise<void>;
  removed(team: TeamName): Promise<void>;
  renamed(old: TeamName, renamed: TeamName): Promise<void>;
  /** Where the viewer is not what it is named; none where there is no viewer, or it could not be asked. */
  differences(): Promise<readonly Difference[]>;
}

export function openFollower(world: ViewerWorld, report: (warning: string) => void): ViewerFollower {
  const { stores } = world;
  const rows = rowWriter(stores);
  const teams = () => stores.viewerWindows.read().rows.map(({ team }) => team);

  let hungUntilMs = 0;

  /** Null where nothing is set up, and where it failed. */
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

  /** `wanted` is asked when nobody else changes the viewer any more. */
  const bring = (wanted: () => readonly TeamName[]) =>
    whileSetUp(() =>
      whileAlone(world, async () => {
        const look = await lookAtViewer(world);
        if (look !== null) await bringWindows(world, look, wanted());
      }),
    );

  return {
    async added(team) {
      await bring(() => [...teams(), team]);
    },
    async removed(team) {
      if (teams().includes(team)) await bring(() => teams().filter((each) => each !== team));
      await rows.removeViewerWindow(team);
    },
    async renamed(old, renamed) {
      const isOurs = teams().includes(old);
      await rows.renameViewerWindow(old, renamed);
      if (isOurs) await bring(teams);
    },
    async differences() {
      const found = await whileSetUp(async () => {
        const look = await lookAtViewer(world);
        return look && differencesOf(look, stores.viewerWindows.read().rows);
      });
      return found?.filter(({ isClaimed }) => isClaimed) ?? [];
    },
  };
}
