// Checks whether clients report to hivemind through hooks.

import { join } from "node:path";
import { handlers } from "../agents/claude/hooks/handler.js";
import { hooksState } from "../agents/claude/hooks/settings-file.js";
import { foldersOfClaude } from "../fleet/folders.js";
import { type Check, type Found, info, ok, warning } from "./check.js";

const install = "hivemind hooks install";

export const hooks: Check = {
  id: "hooks",
  title: "hooks are installed",
  async look(world) {
    const { hookReports } = world.stores();
    const places = foldersOfClaude(await world.folders()).map((folder) => join(folder, "settings.json"));
    const states = places.map((path) => ({ path, ...hooksState(path, hookReports.folder) }));
    const isInstalled = states.some(({ state }) => state === "installed");
    const isHandled = !isInstalled || hookReports.handlerState(handlers) === "current";
    const missing = warning(`the hooks' handler in ${hookReports.folder} is missing or outdated`, install);
    return [...states.map(hookFinding), ...(isHandled ? [] : [missing])];
  },
};

type State = { path: string } & ReturnType<typeof hooksState>;

function hookFinding({ path, state, why }: State): Found {
  switch (state) {
    case "installed":
      return ok(`hooks are installed in ${path}`);
    case "outdated":
      return warning(`the hooks in ${path} belong to another version or folder of hivemind`, install);
    case "broken":
      return warning(`${path} is not valid: ${why}`, "fix it: the client cannot read it either");
    default:
      return info(`no hooks in ${path}: sessions are known from the client's registry and files`, install);
  }
}
