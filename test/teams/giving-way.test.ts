import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, tmuxTeam } from "../command.js";
import { testHome } from "../home.js";

test("[RS9] who waits where another came to stand keeps rows and messages, and is brought back with them (incident 45)", () => {
  const home = testHome();
  const roles = join(home.config, "hivemind.roles.env");
  const run = (...args: string[]) => {
    const { code, stdout, stderr } = hivemind(home, args);
    expect({ code, stderr }, args.join(" ")).toMatchObject({ code: 0 });
    return stdout;
  };
  const sessions = () => readFileSync(join(home.config, "hivemind.sessions.env"), "utf8").split("\n");
  tmuxTeam(home, "keep", 1);
  run("team", "setup", "web", "po", "--kind", "demo");
  run("send", "po", "a first word");
  run("teams", "save");
  run("queue", "append", "po", "said while away");
  const [, its] = sessions()[0]!.split("|");
  home.tmux("kill-session", "-t", "=web");
  const hourAgo = Math.floor(Date.now() / 1000) - 3600;
  writeFileSync(roles, readFileSync(roles, "utf8").replaceAll(/\|\d+$/gm, `|${hourAgo}`));

  tmuxTeam(home, "web", 1);
  run("agent", "spawn", "fresh", "--team", "web", "--kind", "demo");
  home.tmux("kill-pane", "-t", "=web:0.0");
  run("registry", "refresh");
  expect(sessions()).toContainEqual(expect.stringMatching(new RegExp(`^web:0\\.[12]\\|${its}$`)));
  expect(run("queue", "list")).toContain("po: waits for it to be brought back");

  expect(run("teams", "restore", "--team", "web")).toContain(`po  web:0.0  ${its}`);
  run("queue", "drain", "po");
  expect(run("queue", "list")).toBe("Nothing is queued.\n");
  expect(run("consistency", "audit")).toBe("nothing is wrong\n");
});
