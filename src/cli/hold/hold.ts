import { UsageError } from "../../base/errors.js";
import { counted } from "../../base/text/counted.js";
import { utcSeconds } from "../../base/text/utc.js";
import type { Cli, Command } from "../command.js";
import { alsoFar } from "../far/also-far.js";
import { knownAgentNamed, nameArgument, nameOfAgent, teamOption } from "../named-agent.js";
import { shown } from "../output.js";
import { needPerson, personIn } from "../person.js";

export const hold: Command = alsoFar({
  words: "hold",
  about: "queue an agent's messages instead of delivering them",
  args: [nameArgument],
  options: [teamOption],
  examples: ["hivemind hold tester"],
  notes: "`hivemind release NAME` delivers again. What you type into the pane yourself still arrives.",
  async run(cli, input) {
    const hive = await cli.hive();
    const { holdOf } = await import("../../stores/holds.js");
    const { senderOf } = await import("../../hive/sender-of.js");
    const panes = await hive.panes();
    const agent = await knownAgentNamed(hive, panes, input);
    const sender = senderOf(hive, panes);
    const by = sender?.role ?? sender?.pane ?? cli.person?.name ?? personIn(cli.env);
    const before = holdOf(hive.stores, agent.id, "HELD");
    await hive.stores.holds.update((rows) =>
      rows.some((row) => row.agent === agent.id && row.word === "HELD")
        ? rows
        : [...rows, { agent: agent.id, word: "HELD", since: utcSeconds(Date.now()), by }],
    );
    const who = nameOfAgent(agent);
    cli.out.print(before === undefined ? `${who} is on hold` : `${who} is already on hold, by ${before.by}`);
  },
});

export const release: Command = alsoFar({
  words: "release",
  about: "deliver messages to an agent again (after hold)",
  args: [nameArgument],
  options: [teamOption],
  examples: ["hivemind release tester"],
  notes:
    "Ends a hold. After a failed turn (an API error, no login, no credit) messages stay queued until the agent answers\n" +
    "again; this delivers the next one anyway, and the others follow once the agent has answered. Delivers nothing to an\n" +
    "agent that is busy, asks something or has hit a limit. Exit code 4: messages are still queued.",
  async run(cli, input) {
    const hive = await cli.hive();
    const panes = await hive.panes();
    const agent = await knownAgentNamed(hive, panes, input);
    const who = nameOfAgent(agent);
    const { changed } = await hive.stores.holds.update((rows) =>
      rows.filter((row) => row.agent !== agent.id || row.word !== "HELD"),
    );
    const { stanceNow } = await import("../../messages/drain.js");
    const pane = (await hive.panes()).panes.find((each) => each.agent?.id === agent.id);
    const isFailed = pane !== undefined && (await stanceNow(hive, pane)).kind === "failed";
    cli.out.print(changed || isFailed ? `${who} is released` : `${who} was not on hold`);
    const waiting = hive.stores.queues.read(agent.id).messages.length;
    if (waiting === 0 && isFailed)
      cli.out.note("its last turn failed and no message is queued: send one, then release again");
    if (waiting > 0 && !isFailed)
      cli.out.note(
        `${counted(waiting, "queued message")}; to deliver now: hivemind queue drain @${agent.id}`,
      );
    if (waiting === 0 || !isFailed) return undefined;
    const { drainedExitCode, drainQueue, printDrained } = await import("../queue/queue.js");
    const done = await drainQueue(hive, agent, { isReleased: true, interrupted: cli.untilInterrupted() });
    printDrained(cli, agent, done);
    return drainedExitCode([done]);
  },
});

export const allow: Command = {
  words: "allow",
  about: "let an agent send commands to other agents",
  args: [
    { ...nameArgument, isOptional: true },
    { name: "what", about: "the word commands", choices: ["commands"], isOptional: true },
  ],
  options: [teamOption, { name: "off", about: "withdraw the permission" }],
  examples: ["hivemind allow lead commands", "hivemind allow lead commands --off", "hivemind allow"],
  notes:
    "By default an agent may send only plain text: a line that begins with /, !, # or & is refused, because the receiving\n" +
    "client would run it without asking. Without NAME: lists the permissions. Only a person may change them.",
  hasJson: true,
  async run(cli, input) {
    if (input.arg("name") === undefined) return list(cli, input.flag("json"));
    const what = input.arg("what");
    if (what !== "commands")
      throw new UsageError(
        what === undefined ? "allow needs the word commands" : `"${shown(what)}" is not a permission`,
        { hint: "hivemind allow NAME commands" },
      );
    const hive = await cli.hive();
    const panes = await hive.panes();
    const { name: by } = needPerson(cli, hive, panes);
    const agent = await knownAgentNamed(hive, panes, input);
    const isAllowed = !input.flag("off");
    const since = utcSeconds(Date.now());
    const row = { agent: agent.id, word: "COMMANDS" as const, since, by };
    await hive.stores.holds.update((rows) => {
      const others = rows.filter((each) => each.agent !== agent.id || each.word !== "COMMANDS");
      return isAllowed ? [...others, row] : others;
    });
    const { id, address: pane, role } = agent;
    if (input.flag("json")) cli.out.json({ agent: id, pane, role, commands: isAllowed });
    else
      cli.out.print(
        `${nameOfAgent(agent)} ${isAllowed ? "may" : "may no longer"} send commands to other agents`,
      );
  },
};

async function list(cli: Cli, isJson: boolean): Promise<void> {
  const { stores } = await cli.hive();
  const agents = new Map(stores.roster.read().agents.map((agent) => [agent.id as string, agent]));
  const rows = stores.holds.read().rows.filter(({ word }) => word === "COMMANDS");
  const allowed = rows.map(({ agent: key, since, by }) => {
    const agent = agents.get(key);
    // Earlier versions wrote the pane instead of the agent.
    const pane = agent === undefined && key.includes(":") ? key : (agent?.address ?? null);
    return { agent: agent?.id ?? null, pane, role: agent?.role ?? null, commands: true, since, by };
  });
  if (isJson) cli.out.json({ allowed });
  else if (allowed.length === 0) cli.out.print("No agent may send commands to other agents.");
  for (const { agent, pane, role, since, by } of isJson ? [] : allowed) {
    const name = [pane, role].filter(Boolean).join(" ");
    cli.out.print(`${name || `@${agent}`}  commands  (${by}, ${since})`);
  }
}
