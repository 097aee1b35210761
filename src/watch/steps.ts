// The steps of a turn, carried out. Each returns the facts to report.

import { errorCode, HiveError } from "../base/errors.js";
import { LockedError } from "../base/files/lock.js";
import type { Fleet } from "../fleet/observe.js";
import { limits } from "../limits.js";
import type { AgentId } from "../names/agent-id.js";
import type { CrashedAgent } from "../up/heal.js";
import type { Step } from "./decide.js";
import type { Fact } from "./fact.js";
import type { Sources } from "./look.js";

export interface Work extends Sources {
  /** The look that the steps were decided on. */
  fleet: Fleet;
  /** Agents that took no message, and when that was; drains add to it. */
  stopped: Map<AgentId, number>;
  /** Agents that shall not be restarted after all; restarts add to it. */
  unwanted: CrashedAgent[];
}

export async function carryOut(step: Step, work: Work): Promise<Fact[]> {
  const { world, recorded, saves, fleet } = work;
  switch (step.do) {
    case "refresh":
      // Asked again for each row: others may have written some while we waited for the locks.
      await world.refresh((row) => recorded().has(row));
      return [];
    case "sweep":
      world.stores.hookReports.sweep(step.reports);
      return [];
    case "drain":
      return drainAll(step.agents, work);
    case "heal":
      return healAll(step.patients, work);
    case "save": {
      const { path } = await world.save(fleet, step.teams);
      await saves.prune();
      return [{ kind: "saved", text: `${step.teams.join(", ")}: ${path}` }];
    }
    case "size": {
      const { detached, grown } = await world.size();
      return [
        ...detached.map(({ name }) => ({
          kind: "sized" as const,
          text: `detached ${name}: an idle client`,
        })),
        ...grown.map(({ window, to }) => ({
          kind: "sized" as const,
          text: `${window.shownBy.join(", ")}: ${to.width}×${to.height}`,
        })),
      ];
    }
    case "show":
      await world.show(step.changes);
      return [];
    case "reconcile": {
      const repaired = (await world.repair(fleet))?.repaired ?? [];
      return repaired.map(({ invariant, op, store, key }) => ({
        kind: "repaired" as const,
        text: `${invariant}: ${op} ${key} in ${store}`,
      }));
    }
  }
}

/** A failure does not stop the other restarts. */
async function healAll(patients: readonly CrashedAgent[], { world, unwanted }: Work): Promise<Fact[]> {
  const facts: Fact[] = [];
  for (const patient of patients) {
    const { project, agent } = patient;
    try {
      const isBack = await world.heal(patient);
      if (isBack) facts.push({ kind: "healed", text: `${project}: ${agent} is back` });
      else unwanted.push(patient);
    } catch (error) {
      facts.push({ kind: "trouble", text: `${project}: ${bearable(error)}` });
    }
  }
  return facts;
}

/** Several at once: a delivery mostly waits for its agent. */
async function drainAll(agents: readonly AgentId[], { world, stopped, now }: Work): Promise<Fact[]> {
  const facts: Fact[] = [];
  const left = [...agents];
  const worker = async () => {
    for (let agent = left.shift(); agent !== undefined; agent = left.shift()) {
      const drained = await world.drain(agent).catch(unlessLocked);
      if (drained === null) continue;
      if (drained.fates.length === 0 && drained.stopped !== null) stopped.set(agent, now());
      for (const { id, step, detail } of drained.fates)
        facts.push({ kind: "sent", text: `${id} ${step}${detail === "" ? "" : `: ${detail}`}` });
    }
  };
  await Promise.all(Array.from({ length: limits.broadcastAtOnce }, worker));
  return facts;
}

/** The message of an error that time or a person can mend. Any other error is a bug and ends the loop with its stack. */
export function bearable(error: unknown): string {
  if (error instanceof HiveError) return error.message;
  const code = errorCode(error);
  if (code === undefined) throw error;
  return code;
}

/** Whether another process is delivering to that agent. */
function unlessLocked(error: unknown): null {
  if (error instanceof LockedError) return null;
  throw error;
}
