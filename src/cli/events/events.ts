import { setTimeout as delay } from "node:timers/promises";
import { UsageError } from "../../base/errors.js";
import { plainArguments } from "../../events/event.js";
import { limits } from "../../limits.js";
import type { LoggedEvent } from "../../stores/event-log.js";
import type { Command } from "../command.js";
import { fleetOption } from "../far/fleet-option.js";
import { type Output, shown } from "../output.js";

export const events: Command = {
  words: "events",
  about: "print the event log, oldest first",
  options: [
    {
      name: "follow",
      short: "f",
      about: `print the last ${limits.followLines} events, then new ones until Ctrl-C`,
    },
    { name: "lines", short: "n", value: "count", about: "only the last COUNT events" },
    fleetOption,
  ],
  examples: ["hivemind events -n 20", "hivemind events -f", "hivemind events --fleet -n 50"],
  notes:
    "With --json and --follow, each event is one line of JSON. --fleet prints what the hosts published in the last week, also\n" +
    "of hosts that are not reached.",
  hasJson: true,
  async run(cli, input) {
    const count = input.option("lines") ?? "";
    if (!/^\d{0,6}$/.test(count)) throw new UsageError(`"${count}" is not a number of lines`);
    const isJson = input.flag("json");
    if (input.flag("fleet")) {
      if (input.flag("follow"))
        throw new UsageError("--fleet prints what there is; --follow is for this host");
      const { eventsFleet } = await import("../far/events-fleet.js");
      return eventsFleet(cli, count === "" ? limits.eventsListed : Number(count), isJson);
    }
    const { events: log } = (await cli.hive()).stores;
    const end = log.end();
    const all = log.read().rows;
    const isFollowed = input.flag("follow");
    const most = count === "" ? (isFollowed ? limits.followLines : all.length) : Number(count);
    const past = all.slice(Math.max(0, all.length - most));
    const print = (each: LoggedEvent) =>
      isJson ? cli.out.print(JSON.stringify(record(each))) : show(each, cli.out);
    if (isJson && !isFollowed) cli.out.json({ events: past.map(record) });
    else for (const each of past) print(each);
    if (!isFollowed) return;
    const interrupted = cli.untilInterrupted();
    let place = end;
    while (!interrupted.aborted) {
      const { rows, next } = log.readFrom(place);
      for (const each of rows) print(each);
      place = next;
      await delay(limits.followPollMs, undefined, { signal: interrupted }).catch(() => {});
    }
  },
};

function record({ at, event }: LoggedEvent) {
  const { name, ...args } = event;
  return { at, event: name, args };
}

function show({ at, event }: LoggedEvent, out: Output): void {
  out.print(`${out.colours.dim(at)} ${out.colours.bold(event.name)} ${shown(plainArguments(event))}`);
}
