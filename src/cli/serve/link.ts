import { HiveError } from "../../base/errors.js";
import type { Command } from "../command.js";

export const serveLink: Command = {
  words: "serve link",
  about: "another address that opens the page once",
  examples: ["hivemind serve link"],
  notes: "For another browser, or after the old address was used or expired. Only a person may ask for one.",
  async run(cli) {
    const { needPerson } = await import("../person.js");
    const hive = await cli.hive();
    needPerson(cli, hive, await hive.panes());
    const running = hive.stores.serve.running();
    if (running === null)
      throw new HiveError("no server runs on this config folder", { hint: "hivemind serve" });
    cli.out.print(`${running.url}#secret=${hive.stores.serve.newLink()}`);
  },
};
