import type { Command } from "./command.js";

export const monitorFit: Command = {
  words: "monitor fit",
  about: "fit the viewer's window to the terminal that looks at it",
  examples: ["hivemind monitor fit"],
  notes: "The teams keep their sizes; of a larger one you see a part.",
  async run(cli) {
    const { viewerWorld } = await cli.hive();
    const { fitViewer } = await import("../viewer/viewer.js");
    await fitViewer(viewerWorld);
    cli.out.print("fitted the viewer to its terminal");
    return undefined;
  },
};
