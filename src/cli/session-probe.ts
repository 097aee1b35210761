import { HiveError } from "../base/errors.js";
import { findPaneIn } from "../fleet/find-pane.js";
import { isTeamName } from "../names/gates.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";
import { paneArgument } from "./session-discover.js";

export const sessionProbe: Command = {
  words: "session probe",
  about: "ask the agent itself which session it is in: types /status into its pane",
  args: [paneArgument()],
  examples: ["hivemind session probe web4team:0.1"],
  notes:
    "Only where the agent is idle and its input box empty; the dialog is closed again. `hivemind session discover`\n" +
    "tells the same from outside, and is nearly always what you want.",
  hasJson: true,
  async run(cli, input) {
    // A dialog that was opened is closed again, so Ctrl-C waits these few seconds.
    cli.untilInterrupted();
    const hive = await cli.hive();
    const { identify, knownSessions, probe } = await import("../fleet/probe.js");
    const { limits } = await import("../limits.js");
    const { id, sessionName, address: named } = hive.paneNamed(await hive.panes(), input.need("pane"));
    const ask = async () => {
      const fleet = await hive.observe();
      const pane = findPaneIn(fleet, id);
      return { pane, known: knownSessions(fleet), ...(await probe(hive.tmux, pane)) };
    };
    // Nobody says anything to it meanwhile.
    const alone = () => hive.stores.queues.whileDraining(named, ask, limits.sendLockMs);
    const answer = isTeamName(sessionName) ? await hive.whileChanging(sessionName, alone) : await ask();
    const { address } = answer.pane;
    if (!answer.isClosed)
      cli.out.note(`hivemind: the input box of ${address} is not empty again: look at it`);
    const found = identify(answer.shown, answer.known);
    if (found === null) {
      throw new HiveError(`the dialog of ${address} does not tell which session it is`, {
        hint: `it shows the id ${shown(answer.shown.id)} and the name ${shown(answer.shown.name)}; a wider pane shows more`,
      });
    }
    if (input.flag("json")) cli.out.json({ pane: address, paneId: id, ...found, closed: answer.isClosed });
    else cli.out.print(found.uuid);
    return undefined;
  },
};
