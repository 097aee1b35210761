import type { ExitCode } from "../../base/errors.js";
import type { Command, Input } from "../command.js";
import { fleetOption } from "../far/fleet-option.js";
import { hereOrThere } from "../far/open-far.js";

export const inbox: Command = {
  words: "inbox",
  about: "everything that waits for you, with the commands to answer",
  args: [{ name: "team", about: "only this team", meaning: "team", isOptional: true, host: "taken" }],
  options: [{ name: "whole", about: "show long requests in full" }, fleetOption],
  examples: ["hivemind inbox", "hivemind inbox web4team --json", "hivemind inbox --fleet"],
  notes:
    "Lists permission requests and questions (with `hivemind hooks install` as the client states them, else as its pane\n" +
    "shows them), limits, failed turns, crashed agents, and messages that did not arrive. A request's id stands for all\n" +
    "of its text: if the request changes, the id is refused. Exit code 0 also if nothing waits. --fleet asks every host of\n" +
    "the fleet; a host that cannot be reached, or does not show its requests, is in the list too.",
  hasJson: true,
  async run(cli, typed) {
    if (typed.flag("fleet")) return (await import("../far/inbox-fleet.js")).inboxFleet(cli, typed, inbox);
    const input = await hereOrThere<ExitCode | Input>(cli, typed, "team", {
      here: async (own) => own,
      there: async (far) => (await import("../far/inbox-fleet.js")).inboxHost(cli, typed, inbox, far),
    });
    if (typeof input === "number") return input;
    const hive = await cli.hive();
    const team = input.arg("team");
    const { fleet, attention } = await hive.overview();
    if (team !== undefined) (await import("../../fleet/view.js")).teamNamed(fleet.teams, team);
    const items = attention.filter((item) => team === undefined || item.team === team);
    if (input.flag("json")) {
      cli.out.json({ items });
      return undefined;
    }
    const { inboxLines } = await import("./show-inbox.js");
    const { limits } = await import("../../limits.js");
    const most = input.flag("whole") ? Number.POSITIVE_INFINITY : limits.inboxLines;
    cli.out.lines(inboxLines(items, { nowMs: Date.now(), colours: cli.out.colours, most }));
    return undefined;
  },
};
