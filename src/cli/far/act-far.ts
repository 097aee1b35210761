// Asks another host to decide or change something. A person asks; that host must allow it, and records who asked.

import { randomUUID } from "node:crypto";
import { type ExitCode, exitCodes, HiveError } from "../../base/errors.js";
import { askHost, type FarAnswer, type FarQuestion } from "../../link/questions.js";
import { isRequestId } from "../../names/request-id.js";
import type { Cli, Command, Input } from "../command.js";
import { requestLines } from "../inbox/show-inbox.js";
import { shown } from "../output.js";
import { needPerson } from "../person.js";
import { hintBy, saidBy } from "./ages.js";
import { type Asked, askedOf } from "./ask-fleet.js";
import { farItems } from "./far-items.js";
import { type Far, type FarName, needReached, withFar } from "./open-far.js";

/** `NAME@HOST` of a command that changes something. `given` is how the question names it. */
export async function actFar(
  cli: Cli,
  input: Input,
  command: Command,
  far: FarName,
  given: Partial<Asked> = { args: { name: far.name } },
): Promise<ExitCode> {
  return asking(cli, far, async (ask) => show(cli, far, await ask(askedOf(command, input, given))));
}

/** The same for a request: its text is printed first, and the answer is for exactly that text. */
export async function decideFar(cli: Cli, input: Input, command: Command, far: FarName): Promise<ExitCode> {
  return asking(cli, far, async (ask) => {
    const inbox = await ask({ words: "inbox", args: {}, options: { json: true, whole: true } });
    const { items } = farItems(inbox.value);
    const own = items.filter((item) => isMeant(item, far.name));
    const requests = own.flatMap((item) => (item.kind === "request" ? item.request : []));
    if (requests.length > 1)
      throw new HiveError(`${far.name} asks ${requests.length} things`, {
        hint: `say which: ${requests.map(({ id }) => `hivemind ${command.words} ${id}@${far.host}`).join(", ")}`,
      });
    const [request] = requests;
    if (isRequestId(far.name) && inbox.error === null && request === undefined)
      throw new HiveError(`${far.name} is not open on ${far.host}: it changed, or was answered already`, {
        hint: "hivemind inbox --fleet",
      });
    if (request !== undefined && request.lines.length > 0) cli.out.lines(requestLines(request));
    const name = request?.id ?? far.name;
    return show(cli, far, await ask(askedOf(command, input, { args: { name } })));
  });
}

async function asking<T>(
  cli: Cli,
  { host }: FarName,
  work: (ask: (asked: Asked) => Promise<FarAnswer>) => Promise<T>,
): Promise<T> {
  const interrupted = cli.untilInterrupted();
  return withFar(cli, async (far) => {
    const by = await personFor(cli, far);
    await needReached(far, host);
    return work((asked) =>
      askHost(far.bus, far.join, host, { id: randomUUID(), ...asked, by }, { interrupted }),
    );
  });
}

async function personFor(cli: Cli, { hive }: Far): Promise<FarQuestion["by"]> {
  const { name, from } = needPerson(cli, hive, await hive.panes());
  return { kind: "person", name, from };
}

function isMeant(item: ReturnType<typeof farItems>["items"][number], name: string): boolean {
  const id = item.kind === "request" ? item.request.id : null;
  return [id, item.who, item.pane, item.paneId, item.agent && `@${item.agent}`].includes(name);
}

function show(
  { out }: Cli,
  { host }: FarName,
  { exitCode, lines, notes, error, value }: FarAnswer,
): ExitCode {
  for (const line of lines) out.print(`${host}: ${shown(line)}`);
  for (const note of notes) out.note(shown(note));
  if (error !== null)
    throw new HiveError(
      saidBy(host, shown(error.message)),
      error.hint === null ? {} : { hint: hintBy(host, shown(error.hint)) },
    );
  if (lines.length === 0 && value === null) out.print(`${host}: done`);
  const known = Object.values(exitCodes).find((code) => code === exitCode);
  return known ?? exitCodes.refused;
}
