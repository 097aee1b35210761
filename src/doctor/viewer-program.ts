// Only the viewer needs GNU screen, so nobody is asked to install it before they set up the viewer.

import { onPath } from "../base/files/on-path.js";
import { installCommand } from "../base/system/install-command.js";
import { type Check, info, ok } from "./check.js";
import { versionLine } from "./program.js";

export const viewerProgram: Check = {
  id: "screen",
  title: "no viewer is set up, so GNU screen is not needed",
  async look({ env, stores }) {
    if (stores().viewerWindows.read().rows.length === 0) return [];
    const [path] = onPath("screen", env);
    if (path === undefined)
      return [info("there is no GNU screen in PATH: the viewer needs it", installCommand("screen", env))];
    return [ok(`${(await versionLine(path, "--version", env)) ?? "GNU screen"} (${path})`)];
  },
};
