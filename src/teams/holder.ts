// Who holds a conversation, by all that can be known from here.

import { defaultFolder } from "../agents/all.js";
import { type Holder, holderOf } from "../fleet/holders.js";
import type { Fleet } from "../fleet/observe.js";
import type { SessionId } from "../names/gates.js";
import type { TeamWorld } from "./world.js";

/** In every pane, and in every config folder that was ever seen in use. */
export function liveHolder(
  session: SessionId,
  fleet: Fleet,
  { env, stores }: Pick<TeamWorld, "env" | "stores">,
  except: number | null = null,
): Holder | null {
  const accounts = stores.accounts.read().rows.map(({ folder }) => folder);
  const used = fleet.panes.flatMap(({ folder }) => folder ?? []);
  const folders = [...new Set([defaultFolder(env) ?? [], ...accounts, ...used].flat())];
  return holderOf(session, fleet, { folders, except });
}
