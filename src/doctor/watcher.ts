// Checks whether somebody delivers messages and saves the teams.

import { counted } from "../base/text/counted.js";
import { mayBeJoined } from "../stores/link/lease-file.js";
import { watcherOf } from "../watch/process/watcher.js";
import { installedUnit } from "../watch/process/watcher-unit.js";
import { type Check, type Found, info, ok, problem, warning } from "./check.js";
import type { World } from "./world.js";

const start = "hivemind watch --background";

export const watcher: Check = {
  id: "watcher",
  title: "no watcher runs, and none is needed",
  async look(world) {
    const { env } = world;
    const paths = world.paths();
    const running = watcherOf(paths);
    const unit = await installedUnit(env, paths);
    if (unit !== null && unit.state !== "running" && unit.state !== "unreachable") {
      const { start: cure } = unit.manager.commands(unit.name);
      const what = `the unit ${unit.name} does not run (${unit.why})`;
      return [running === null ? problem(what, cure) : warning(what, cure)];
    }
    if (running !== null) return [ok(`a watcher runs (process ${running.pid} on ${running.host})`)];
    return missing(world, unit === null ? null : unit.name);
  },
};

/** `unreachable` is an installed unit whose manager cannot be asked. */
async function missing(world: World, unreachable: string | null): Promise<Found[]> {
  const { queues, watchWish } = world.stores();
  const waiting = queues.agents().reduce((sum, agent) => sum + queues.read(agent).messages.length, 0);
  const wish = watchWish.read();
  const { server } = await world.panes();
  const isThere = server !== null || mayBeJoined(world.env, world.paths());
  const cure = isThere ? start : "hivemind restore, or hivemind up";
  const behind =
    waiting === 0 ? "" : `, and ${counted(waiting, "message")} ${waiting === 1 ? "waits" : "wait"}`;
  if (wish !== null && isThere) return [warning(`the watcher that you started does not run${behind}`, cure)];
  if (waiting > 0) return [warning(`no watcher runs${behind}`, cure)];
  if (unreachable !== null)
    return [warning(`no watcher runs: the manager of ${unreachable} does not answer`, cure)];
  if (wish !== null)
    return [info("the watcher ended with its tmux server, and comes back with a team", cure)];
  if (server !== null) return [info("no watcher runs: nobody delivers messages or saves the teams", cure)];
  return [];
}
