import { expect, it } from "vitest";
import { claude } from "../../agents/claude/claude.js";
import type { Role, TeamName } from "../../names/gates.js";
import { agentEnvironment } from "./environment.js";

const place = {
  home: claude.home,
  role: "po" as Role,
  team: "web" as TeamName,
  stores: "/h/config",
  folder: null,
};
const home = { HOME: "/h", PATH: "/bin" };

it("an agent has its own role and team, and the caller's stores and tmux server", () => {
  const caller = {
    ...home,
    HIVEMIND_ROLE: "caller",
    HIVEMIND_TEAM: "other",
    HIVEMIND_FORKS: "/f",
    OTMUX_LAYOUT_DIR: "/l",
    HIVEMIND_TMUX_SOCKET: "/s",
    HIVEMIND_EVENTS: "",
    SECRET: "x",
  };
  expect(agentEnvironment(caller, place).variables).toEqual({
    PATH: "/bin",
    HIVEMIND_ROLE: "po",
    HIVEMIND_TEAM: "web",
    HIVEMIND_CONFIG_DIR: "/h/config",
    HIVEMIND_FORKS: "/f",
    OTMUX_LAYOUT_DIR: "/l",
    HIVEMIND_TMUX_SOCKET: "/s",
  });
  expect(agentEnvironment(caller, { ...place, role: null }).variables).not.toHaveProperty("HIVEMIND_ROLE");
});

it.each<[string, string | undefined, string | null, string | undefined]>([
  ["none given: left unset", undefined, null, undefined],
  ["the standard one: left unset", undefined, "/h/.claude", undefined],
  ["another account's", undefined, "/work", "/work"],
  ["the caller's own", "/own", null, "/own"],
  ["the standard one, for a caller with its own", "/own", "/h/.claude", "/h/.claude"],
])("the config folder: %s", (_, own, folder, expected) => {
  const env = { ...home, ...(own === undefined ? {} : { CLAUDE_CONFIG_DIR: own }) };
  const { variables, prefix } = agentEnvironment(env, { ...place, folder });
  expect(variables.CLAUDE_CONFIG_DIR).toBe(expected);
  expect(prefix).toEqual(expected === undefined ? ["env", "-u", "CLAUDE_CONFIG_DIR"] : []);
});
