// Finds the process that holds a conversation.

import { searchedFolders } from "../../fleet/folders.js";
import { type Holder, holderOf } from "../../fleet/identity/holders.js";
import type { Fleet } from "../../fleet/observe.js";
import type { SessionId } from "../../names/gates.js";
import type { TeamWorld } from "../world.js";

/** Looks in every pane and in every config folder. */
export function liveHolder(
  session: SessionId,
  fleet: Fleet,
  { env, stores }: Pick<TeamWorld, "env" | "stores">,
  except: number | null = null,
): Holder | null {
  const folders = searchedFolders(env, stores.accounts.read().rows, fleet.panes);
  return holderOf(session, fleet, { folders, except });
}
