import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, mainProgram, tmuxTeam } from "../command.js";
import { paneVariables, testHome, until } from "../home.js";

const columns = 60;

test("in a narrow terminal tables and help fit the width; piped, nothing is cut", async () => {
  const home = testHome();
  tmuxTeam(home, "web");
  const about = "the team that makes everything that can be seen from outside";
  hivemind(home, ["team", "register", "web", about]);
  const run = (words: string) => `${process.execPath} ${mainProgram} ${words}`;
  const shown = ["team list", "team status web", "send --help", "sessions --help"].map(run).join("; ");
  // So that what names the folder is too wide wherever these tests lie.
  const folder = join(home.work, "a-project-whose-name-is-as-long-as-this");
  mkdirSync(folder);
  home.tmux(
    ...[
      "new-session",
      "-d",
      "-c",
      folder,
      "-s",
      "narrow",
      "-x",
      String(columns),
      "-y",
      "200",
      ...paneVariables(home.env),
    ],
    ...["sh", "-c", `${shown}; echo done; exec cat`],
  );
  // Joined, a line that the terminal had to break is wider than the terminal.
  const lines = await until("all pages", () => {
    const seen = home.tmux("capture-pane", "-p", "-J", "-t", "=narrow:").split("\n");
    return seen.includes("done") ? seen.map((line) => line.trimEnd()) : null;
  });
  // What is there to be copied is whole: a command, or a word.
  const isToCopy = (line: string) => line.startsWith("  hivemind ") || !line.includes(" ");
  const wide = lines.filter((line) => line.length > columns && !isToCopy(line));
  expect(wide).toEqual([]);
  expect(lines.find((line) => line.startsWith("web "))).toMatch(/the team that makes .*…$/);
  expect(hivemind(home, ["team", "list"]).stdout).toContain(about);
});
