import { counted } from "../base/counted.js";
import type { Command } from "./command.js";

export const monitorReset: Command = {
  words: "monitor reset",
  about: "end the viewer and forget its windows",
  examples: ["hivemind monitor reset"],
  notes: "The teams go on. Also for a viewer that hangs or has died.",
  async run(cli) {
    const { viewerWorld, stores } = await cli.hive();
    const { resetViewer } = await import("../viewer/reset.js");
    const forgotten = stores.viewerWindows.read().rows.length;
    const ended = await resetViewer(viewerWorld);
    const viewer = ended.length === 0 ? "no viewer" : `the viewer (process ${ended.join(", ")})`;
    if (ended.length + forgotten === 0) cli.out.print("nothing to do: no viewer is set up");
    else cli.out.print(`ended ${viewer}, forgot ${counted(forgotten, "window")}`);
    return undefined;
  },
};
