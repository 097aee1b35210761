import { type Host, hostName } from "../../names/gates.js";
import { type Allowance, allowances, type JoinRow } from "../../stores/link/fleet-join.js";
import type { Argument, Command, Option } from "../command.js";
import { needPerson } from "../person.js";

const what: Argument = { name: "what", about: "approve, text, user or start", choices: allowances };
const from: Option = {
  name: "from",
  value: "host",
  about: "only that host (default: every host of the fleet)",
};

const meanings: Readonly<Record<Allowance, string>> = {
  approve: "decide requests of agents here",
  text: "read conversations of this host",
  user: "speak to agents here as their user",
  start: "start, stop and restore agents here, and move teams here",
};

export const fleetAllow: Command = {
  words: "fleet allow",
  about: "let other hosts of the fleet do something here",
  args: [{ ...what, isOptional: true }],
  options: [from],
  examples: [
    "hivemind fleet allow",
    "hivemind fleet allow approve --from laptop",
    "hivemind fleet allow text",
  ],
  notes:
    "approve: a person at another host decides what agents here ask. text: other hosts read and search conversations.\n" +
    "user: a far person's words count as the user's own; otherwise they count as a colleague's. start: other hosts start,\n" +
    "stop and restore agents here. All of it is off until you allow it. Without a word: what is allowed. Only a person\n" +
    "may allow.",
  hasJson: true,
  async run(cli, input) {
    const hive = await cli.hive();
    const { fleetJoin } = hive.stores;
    const wanted = input.arg("what") as Allowance | undefined;
    if (wanted === undefined) {
      const rows = fleetJoin.read().rows.filter(isAllow);
      if (input.flag("json"))
        return cli.out.json({ allowed: rows.map(({ value, from }) => ({ what: value, from })) });
      if (rows.length === 0) cli.out.print("other hosts may do nothing here");
      for (const row of rows) cli.out.print(`${whose(row.from)} may ${meanings[row.value]} (${row.value})`);
      return;
    }
    needPerson(cli, hive, await hive.panes());
    const host = fromIn(input.option("from"));
    await fleetJoin.update((rows) => [
      ...rows.filter((row) => !isSame(row, wanted, host)),
      { what: "allow", value: wanted, from: host },
    ]);
    if (input.flag("json")) cli.out.json({ allowed: [{ what: wanted, from: host }] });
    else cli.out.print(`${whose(host)} may ${meanings[wanted]}`);
  },
};

export const fleetForbid: Command = {
  words: "fleet forbid",
  about: "withdraw what other hosts may do here",
  args: [what],
  options: [from],
  examples: ["hivemind fleet forbid approve", "hivemind fleet forbid text --from laptop"],
  notes: "Without --from it is withdrawn from every host. Only a person may forbid.",
  async run(cli, input) {
    const hive = await cli.hive();
    needPerson(cli, hive, await hive.panes());
    const wanted = input.need("what") as Allowance;
    const host = fromIn(input.option("from"));
    const { rows } = await hive.stores.fleetJoin.update((all) =>
      all.filter(
        (row) => !(host === "*" ? row.what === "allow" && row.value === wanted : isSame(row, wanted, host)),
      ),
    );
    cli.out.print(`${whose(host)} may not ${meanings[wanted]}`);
    if (rows.some((row) => isSame(row, wanted, "*")))
      cli.out.note(`every host still may: ${cli.self} fleet forbid ${wanted}`);
  },
};

function fromIn(typed: string | undefined): Host | "*" {
  return typed === undefined ? "*" : hostName(typed);
}

function isAllow(row: JoinRow): row is Extract<JoinRow, { what: "allow" }> {
  return row.what === "allow";
}

function isSame(row: JoinRow, value: Allowance, host: Host | "*"): boolean {
  return isAllow(row) && row.value === value && row.from === host;
}

function whose(host: Host | "*"): string {
  return host === "*" ? "every host of the fleet" : host;
}
