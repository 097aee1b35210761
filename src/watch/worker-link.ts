// The worker's link to a fleet. It begins when the host joins one, also while the worker runs, and ends when it leaves.
// On a host without a fleet it costs one look for a file per turn, and loads nothing.

import type { SeenActivities } from "../fleet/activity/activity-screens.js";
import type { Fleet } from "../fleet/observe.js";
import type { Hive } from "../hive/hive.js";
import { viewSeen } from "../hive/view-fleet.js";
import type { KeptLink, MemberPart } from "../link/member.js";
import { mayBeJoined } from "../stores/link/lease-file.js";
import type { Fact } from "./fact.js";
import { bearable } from "./steps.js";

export interface WorkerLinkOptions {
  /** The host may type and start again. */
  onWell(): void;
  interrupted: AbortSignal;
  tell(facts: readonly Fact[]): void;
  parts?: (() => Promise<readonly MemberPart[]>) | undefined;
}

export interface WorkerLink {
  /** This process works from now on. */
  begin(): void;
  onLook(fleet: Fleet, screens: SeenActivities): void;
  stop(): Promise<void>;
}

export function openWorkerLink(
  hive: Hive,
  { interrupted, tell, parts, onWell }: WorkerLinkOptions,
): WorkerLink {
  const { env, stores } = hive;
  let link: KeptLink | null = null;
  let changing: Promise<void> = Promise.resolve();
  let isOpen = false;
  const say = (text: string, isWell: boolean) => {
    tell([{ kind: isWell ? "well" : "trouble", text }]);
    if (isWell) onWell();
  };

  async function open(): Promise<void> {
    const { joinOf } = await import("../link/join.js");
    const join = joinOf(env, stores);
    if (join === null) return;
    const { keepLink } = await import("../link/member.js");
    link = keepLink(hive, join, (await parts?.()) ?? [], { say, interrupted });
  }

  async function close(): Promise<void> {
    await link?.stop();
    link = null;
  }

  /** One change after the other. */
  function follow(isWanted: boolean): void {
    if (isWanted === isOpen) return;
    isOpen = isWanted;
    changing = changing
      .then(isWanted ? open : close)
      .catch((error: unknown) => say(`the fleet: ${bearable(error)}`, false));
  }

  return {
    begin: () => follow(mayBeJoined(env, stores.paths)),
    onLook(fleet, screens) {
      follow(mayBeJoined(env, stores.paths));
      link?.onLook(viewSeen(hive, fleet, screens));
    },
    async stop() {
      follow(false);
      await changing;
    },
  };
}
