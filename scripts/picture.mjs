// Draws docs/fleet.svg, the picture of the README: real commands on a team of demo agents, as a terminal shows them.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "hivemind-picture-"));
const work = join(home, "shop");
const socket = join(home, "tmux");
const env = {
  ...{ HOME: home, PATH: `${home}/bin:${process.env.PATH}`, LANG: "C.UTF-8", TERM: "xterm-256color" },
  ...{ HIVEMIND_CONFIG_DIR: join(home, "config"), HIVEMIND_TMUX_SOCKET: socket },
  ...{ CLAUDE_CONFIG_DIR: join(home, "claude"), XDG_CACHE_HOME: join(home, "cache") },
};
const [columns, rows] = [100, 24];

const hivemind = (...args) =>
  spawnSync(process.execPath, [join(root, "dist/main.cjs"), ...args], { env, cwd: work, encoding: "utf8" });
const tmux = (...args) =>
  execFileSync("tmux", ["-u", "-S", socket, "-f", "/dev/null", ...args], { env, encoding: "utf8" });

try {
  mkdirSync(work);
  mkdirSync(join(home, "bin"));
  writeFileSync(
    join(home, "bin/hivemind"),
    `#!/bin/sh\nexec ${process.execPath} ${join(root, "dist/main.cjs")} "$@"\n`,
    { mode: 0o755 },
  );
  hivemind("team", "setup", "shop", "architect", "builder", "tester", "reviewer", "--kind", "demo");
  hivemind("send", "architect", "--wait", "plan the checkout [usage 61000]");
  hivemind("send", "reviewer", "--wait", "read the plan [usage 24000]");
  hivemind("agent", "fork", "architect", "--as", "second", "--team", "shop");
  hivemind("send", "builder", "build it [busy 60000] [usage 118000]");
  hivemind("send", "tester", "run the tests [ask]");
  hivemind("watch", "--background");
  await rest(1500);
  const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const size = ["-x", String(columns), "-y", String(rows)];
  tmux("new-session", "-d", "-s", "picture", ...size, "-c", work, ...variables, "env", "PS1=$ ", "sh");
  for (const typed of [
    "clear",
    "hivemind status shop",
    "hivemind send builder then deploy it",
    "hivemind lineage",
  ]) {
    tmux("send-keys", "-t", "=picture:", typed, "Enter");
    await rest(1500);
  }
  const screen = tmux("capture-pane", "-e", "-p", "-t", "=picture:0.0").trimEnd().split("\n");
  const shown = screen.slice(0, -1).map((line) => line.replaceAll(home, "~"));
  writeFileSync(join(root, "docs/fleet.svg"), drawn(shown));
} finally {
  hivemind("watch", "--stop");
  tmux("kill-server");
  await rest(500);
  rmSync(home, { recursive: true, force: true });
}

/** Lines with SGR colours as an SVG picture. */
function drawn(lines) {
  const [cell, line, margin] = [8.4, 19, 16];
  const [width, height] = [columns * cell + 2 * margin, lines.length * line + 2 * margin];
  const body = lines.map((text, at) => {
    const y = margin + line * (at + 0.75);
    return `<text x="${margin}" y="${y.toFixed(1)}" xml:space="preserve">${spans(text)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" font-size="14"`,
    ` font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" fill="#d8dee9">`,
    `<title>hivemind status, send and lineage of a team of agents</title>`,
    `<rect width="100%" height="100%" rx="8" fill="#1f2430"/>`,
    ...body,
    "</svg>\n",
  ].join("\n");
}

function spans(text) {
  const colours = {
    31: "#e06c75",
    32: "#98c379",
    33: "#e5c07b",
    34: "#61afef",
    35: "#c678dd",
    36: "#56b6c2",
  };
  let style = {};
  return text
    .split(/(\u001b\[[\d;]*m)/)
    .map((part) => {
      if (!part.startsWith("\u001b")) return part === "" ? "" : span(part, style);
      for (const code of part.slice(2, -1).split(";").map(Number)) {
        if (code === 0) style = {};
        else if (code === 1) style = { ...style, weight: 700 };
        else if (code === 2) style = { ...style, opacity: 0.6 };
        else if (code === 39) style = { ...style, fill: undefined };
        else if (colours[code]) style = { ...style, fill: colours[code] };
      }
      return "";
    })
    .join("");
}

function span(text, { fill, weight, opacity }) {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const attributes = [
    fill && `fill="${fill}"`,
    weight && `font-weight="${weight}"`,
    opacity && `opacity="${opacity}"`,
  ];
  const given = attributes.filter(Boolean).join(" ");
  return given === "" ? escaped : `<tspan ${given}>${escaped}</tspan>`;
}
