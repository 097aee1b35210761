import { describe, expect, test } from "vitest";
import type { TeamName } from "../../names/gates.js";
import { type StorePaths, storePaths, teamLockPath } from "./folder.js";

const inConfig: Partial<StorePaths> = {
  folder: "/h/config",
  roles: "/h/config/hivemind.roles.env",
  snapshotFolder: "/h/config",
  queueFolder: "/h/config/hivemind.queue",
  deadQueueFolder: "/h/config/hivemind.queue/dead",
  viewerWindows: "/h/config/tronMonitor.env",
  layoutFolder: "/h/config/otmux",
  holds: "/h/config/hivemind.state.env",
};

describe("the stores are", () => {
  test.each<[string, Record<string, string>, Partial<StorePaths>]>([
    ["below HOME", { HOME: "/h" }, inConfig],
    ["in the given folder", { HOME: "/x", HIVEMIND_CONFIG_DIR: "/h/config" }, inConfig],
    ["in the given folder, without HOME", { HIVEMIND_CONFIG_DIR: "/h/config" }, inConfig],
    ["below HOME if the variable is empty", { HOME: "/h", HIVEMIND_CONFIG_DIR: "" }, inConfig],
  ])("%s", (_, env, expected) => expect(storePaths(env)).toMatchObject(expected));

  test.each<[string, keyof StorePaths]>([
    ["HIVEMIND_REGISTRY", "roles"],
    ["HIVEMIND_SESSIONS", "sessions"],
    ["HIVEMIND_TEAMS", "teams"],
    ["HIVEMIND_SNAPSHOT_DIR", "snapshotFolder"],
    ["HIVEMIND_FORKS", "forks"],
    ["HIVEMIND_QUEUE_DIR", "queueFolder"],
    ["HIVEMIND_ACTIVE_TEAM", "activeTeam"],
    ["TRON_MONITOR_ENV", "viewerWindows"],
    ["OTMUX_SIZE_LOCKS", "sizeLocks"],
    ["OTMUX_LAYOUT_DIR", "layoutFolder"],
    ["HIVEMIND_EVENTS", "events"],
  ])("where %s says, alone", (variable, key) => {
    const paths = storePaths({ HOME: "/h", [variable]: "/else/where" });
    expect(paths[key]).toBe("/else/where");
    const others = Object.values(paths).filter((path) => path.startsWith("/else/where"));
    expect(others).toHaveLength(key === "queueFolder" ? 2 : 1);
  });

  test.each([{}, { HOME: "" }])("nowhere without HOME: %j", (env) =>
    expect(() => storePaths(env)).toThrow(/HOME is not set/),
  );

  test.each([
    { HOME: "/h", HIVEMIND_CONFIG_DIR: "config" },
    { HOME: "/h", HIVEMIND_TEAMS: "~/teams.env" },
    { HOME: "h" },
  ])("nowhere if it depends on the working directory: %j", (env) =>
    expect(() => storePaths(env)).toThrow(/absolute/),
  );

  test("and a team's lock beside them", () => {
    const paths = storePaths({ HOME: "/h" });
    expect(teamLockPath(paths, "web" as TeamName)).toBe("/h/config/hivemind.lock.web");
    expect(() => teamLockPath(paths, "../x" as TeamName)).toThrow(/team name/);
  });
});
