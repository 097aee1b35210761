// Approves every open request at once, after a person has seen each of them.

import { type ExitCode, exitCodes, HiveError } from "../../base/errors.js";
import { counted } from "../../base/text/counted.js";
import { requestLine } from "../../fleet/activity/activity.js";
import { type FoundRequest, openRequests } from "../../fleet/requests.js";
import { teamName } from "../../names/gates.js";
import { confirmOrRefuse } from "../ask.js";
import { type Cli, type Input, ifGiven } from "../command.js";
import { requestLines } from "../inbox/show-inbox.js";
import { shown } from "../output.js";
import { needPerson } from "../person.js";
import { decideRequest } from "./record-decision.js";

export async function approveAll(cli: Cli, input: Input): Promise<ExitCode> {
  const hive = await cli.hive();
  const interrupted = cli.untilInterrupted();
  const panes = await hive.panes();
  const person = needPerson(cli, hive, panes);
  const team = ifGiven(input.option("team"), teamName);
  const open = openRequests(panes).filter(({ pane }) => team === undefined || pane?.sessionName === team);
  if (open.length === 0)
    throw new HiveError("no agent asks for anything through its hook", { hint: "hivemind inbox" });
  const [ready, left] = [open.filter(isForBulk), open.filter((each) => !isForBulk(each))];
  for (const request of ready) {
    cli.out.print(`${request.id}  ${shown(request.who)}  ${shown(request.asked.tool)}`);
    cli.out.lines(requestLines(request.asked));
  }
  for (const { id, who, asked } of left)
    cli.out.note(`left out: ${id} of ${shown(who)} (${whyLeft(asked)}); look at it: hivemind inbox`);
  if (ready.length === 0) return exitCodes.refused;
  await confirmOrRefuse(input, {
    would: [`approve ${counted(ready.length, "request")}`],
    command: "approve --all",
  });
  let failed = 0;
  for (const request of ready) {
    if (interrupted.aborted) break;
    try {
      await decideRequest(hive, person, request, { decision: { kind: "allow" }, word: "approved" });
      cli.out.print(`${shown(request.who)}: approved ${shown(requestLine(request.asked))}`);
    } catch (error) {
      if (!(error instanceof HiveError)) throw error;
      failed++;
      cli.out.note(`hivemind: ${error.message}`);
    }
  }
  return failed > 0 || interrupted.aborted ? exitCodes.refused : exitCodes.done;
}

function isForBulk({ asked }: FoundRequest): boolean {
  return asked.isPlain && asked.questions.length === 0;
}

function whyLeft({ questions }: FoundRequest["asked"]): string {
  return questions.length > 0 ? "it asks a question" : "it has characters that could hide something";
}
