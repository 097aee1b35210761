// Agents of other hosts for the tools: `lead@beta`. What an agent sends goes as mail in its name, and what it asks is
// answered as to an agent: each host decides itself what it shows.

import { randomUUID } from "node:crypto";
import { exitCodes, HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import { type Join, joinOf, needJoin } from "../link/join.js";
import { farSpeaker, mailOutcomes, mailRefusal, openPostOffice, patiently } from "../link/mail/post-mail.js";
import { hasHost, nameAtHost } from "../link/name-at-host.js";
import { askHost, type FarQuestion } from "../link/questions.js";
import { hostIn, readFleet } from "../link/read-fleet.js";
import { type Sender, withSender } from "../messages/sender.js";
import type { Host } from "../names/gates.js";
import type { Bus } from "../nats/bus.js";
import { leaseNow } from "../stores/link/lease-file.js";
import type { ToolCall } from "./tools.js";

type FleetCall = Pick<ToolCall, "hive" | "env" | "interrupted">;

export interface FarName {
  name: string;
  host: Host;
}

/** What a name means: something of this host, or of another one. */
export function nameIn({ hive, env }: Pick<FleetCall, "hive" | "env">, typed: string): string | FarName {
  if (!hasHost(typed)) return typed;
  const { name, host } = nameAtHost(typed, joinOf(env, hive.stores)?.host ?? null);
  return host === null ? name : { name, host };
}

/** For tools that work on one host. */
export function ownNameIn(call: Pick<FleetCall, "hive" | "env">, typed: string, tool: string, hint: string) {
  const meant = nameIn(call, typed);
  if (typeof meant === "string") return meant;
  throw new HiveError(
    `refused: ${tool} works on your own host only, and ${typed} names the host ${meant.host}`,
    {
      hint,
    },
  );
}

export async function sendFar(call: FleetCall, sender: Sender, { name, host }: FarName, text: string) {
  const { hive, interrupted } = call;
  // It may not send there what it may not send here.
  withSender(text, sender);
  return withFleet(call, async (bus, join) => {
    const { hosts } = await patiently(() => readNow(bus, call), interrupted);
    const { isReached, ageMs } = hostIn(hosts, host, join.host);
    const office = await openPostOffice({ bus, join, hive, say: () => {}, interrupted });
    try {
      const by = farSpeaker(sender, "");
      const id = await office.post({ to: name, host, text, by, isAwaited: false });
      const patienceMs = isReached ? limits.firstFateMs : 0;
      const fate = await office.heard(id, ({ step }) => step !== "queued", patienceMs);
      const problem = fate && mailRefusal(fate, `${name}@${host}`);
      if (problem !== null) throw problem;
      const outcome = mailOutcomes[fate?.step ?? "sent"];
      return { to: `${name}@${host}`, id, outcome, why: fate?.detail || null, reached: isReached, ageMs };
    } finally {
      await office.close();
    }
  });
}

/** Every host, also those that are not reached, and the agents as their hosts published them. */
export function agentsOfFleet(call: FleetCall) {
  return withFleet(call, async (bus, join) => {
    const { hosts, agents, nowMs } = await readNow(bus, call);
    const aged = agents.map((agent) => ({ ...agent, ageMs: Math.max(0, nowMs - agent.writtenAtMs) }));
    return { host: join.host, hosts, agents: aged };
  });
}

/** The `--json` of a read there, with the name of its host and its age. */
export function askFar(
  call: FleetCall,
  sender: Sender,
  host: Host,
  { words, args }: Pick<FarQuestion, "words" | "args">,
): Promise<object> {
  return withFleet(call, async (bus, join) => {
    const { hosts } = await readNow(bus, call);
    const { isReached } = hostIn(hosts, host, join.host);
    if (!isReached)
      throw new HiveError(`${host} is not reached`, {
        hint: "list_agents with fleet says since when",
        exitCode: exitCodes.couldNotLook,
      });
    const begunMs = performance.now();
    const by = { kind: "agent" as const, name: farSpeaker(sender, "").name, from: "a tool" };
    const question = { id: randomUUID(), words, args, options: { json: true as const }, by };
    const answer = await askHost(bus, join, host, question, { interrupted: call.interrupted });
    if (answer.error !== null)
      throw new HiveError(`${host}: ${answer.error.message}`, { hint: answer.error.hint ?? "" });
    return { host, ageMs: Math.round(performance.now() - begunMs), ...answer.value };
  });
}

const readNow = (bus: Bus, { hive }: Pick<FleetCall, "hive">) =>
  readFleet(bus, leaseNow(hive.stores).serverNowMs);

/** Connects for one call: the server of the tools holds nothing between calls. */
async function withFleet<T>(
  { hive, env }: FleetCall,
  work: (bus: Bus, join: Join) => Promise<T>,
): Promise<T> {
  const join = needJoin(env, hive.stores);
  const { connectBus } = await import("../nats/connect.js");
  const bus = await connectBus(join.address);
  try {
    return await work(bus, join);
  } finally {
    await bus.close();
  }
}
