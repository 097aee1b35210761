// `inbox --fleet`: everything that waits for a person on every host, with the commands to answer from here.

import { type ExitCode, exitCodes } from "../../base/errors.js";
import { limits } from "../../limits.js";
import type { Host } from "../../names/gates.js";
import type { Cli, Command, Input } from "../command.js";
import { inboxLines } from "../inbox/show-inbox.js";
import { shown } from "../output.js";
import { ageText } from "./ages.js";
import { askedOf, askFleet, askOne, type HostAnswer, hostRows, readerIn } from "./ask-fleet.js";
import { atHost, farItems } from "./far-items.js";
import { type FarName, hostNamed, withFar } from "./open-far.js";
import { answeredBy, ownJson } from "./show-fleet.js";

export async function inboxFleet(cli: Cli, input: Input, command: Command): Promise<ExitCode> {
  const asked = askedOf(command, input, { options: { json: true } });
  const answers = await askFleet(cli, asked, (here) => command.run(here, ownJson(input)));
  return showInboxes(cli, input, answers, answers[0]!.host);
}

/** TEAM@HOST: of that team there. */
export async function inboxHost(
  cli: Cli,
  input: Input,
  command: Command,
  { name, host }: FarName,
): Promise<ExitCode> {
  const asked = askedOf(command, input, { args: { team: name }, options: { json: true } });
  const interrupted = cli.untilInterrupted();
  const answer = await withFar(cli, async (far) =>
    askOne(far, await hostNamed(far, host), asked, await readerIn(cli, far), interrupted),
  );
  if (!input.flag("json")) answeredBy(answer);
  showInboxes(cli, input, [answer], null);
  return answer.why === null ? exitCodes.done : exitCodes.refused;
}

function showInboxes(cli: Cli, input: Input, answers: readonly HostAnswer[], own: Host | null): ExitCode {
  const found = answers.map((answer) => ({ ...answer, ...farItems(answer.answer?.value ?? null) }));
  if (input.flag("json")) {
    const items = found.flatMap(({ host, items }) => items.map((item) => ({ host, ...item })));
    cli.out.json({ hosts: hostRows(answers), items });
    return exitCodes.done;
  }
  const most = input.flag("whole") ? Number.POSITIVE_INFINITY : limits.inboxLines;
  const style = { nowMs: Date.now(), colours: cli.out.colours, most };
  for (const [at, each] of found.entries()) {
    if (at > 0) cli.out.print();
    const { host, items, unknown } = each;
    cli.out.print(headOf(cli, each));
    if (each.answer === null || each.answer.error !== null) continue;
    const named = host === own ? items : items.map((item) => atHost(item, host));
    for (const line of inboxLines(named, { ...style, isFar: host !== own })) cli.out.print(`  ${line}`);
    if (unknown > 0) cli.out.print(`  ${unknown} more that this version of hivemind does not know`);
    if (each.answer.value?.isTextHidden === true && items.length > 0)
      cli.out.print(
        cli.out.colours.dim(`  ${host} shows no requests here: hivemind fleet allow approve, on that host`),
      );
  }
  return exitCodes.done;
}

function headOf({ out }: Cli, { host, why, ageMs, answer }: HostAnswer): string {
  const age = answer === null || ageMs === null ? "" : ` ${out.colours.dim(`(${ageText(ageMs)} old)`)}`;
  return `${out.colours.bold(host)}${age}${why === null ? "" : `  ${shown(why)}`}`;
}
