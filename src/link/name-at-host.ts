// The name of something on a host of the fleet, as a person types it: `tester@server`, `shop:0.1@server`,
// `@k3j5n2abcd@server`. Pure.
//
// [NH1] A name is cut at its last `@`. An `@` at its beginning is an agent's id, so `@k3j5n2abcd` is of this host.
// [NH2] The name of this host means this host: nothing goes over the network for it.

import { HiveError } from "../base/errors.js";
import { type Host, hostName, isField } from "../names/gates.js";

export interface NameAtHost {
  /** As its host knows it. */
  name: string;
  /** Null: this host. */
  host: Host | null;
}

/** `own` is this host's name in its fleet; null without a fleet. The name itself is checked by the host that has it. */
export function nameAtHost(typed: string, own: Host | null): NameAtHost {
  const cut = typed.lastIndexOf("@");
  if (cut <= 0) return { name: typed, host: null };
  const host = hostName(typed.slice(cut + 1));
  const name = typed.slice(0, cut);
  if (!isField(name) || name.trim() !== name || name === "@")
    throw new HiveError("refused: the name before @ is not a name", {
      hint: "hivemind send tester@HOST TEXT",
    });
  if (own === null)
    throw new HiveError(`"${host}" would be a host of a fleet, and this host is in none`, {
      hint: "hivemind fleet join --help",
    });
  return { name, host: host === own ? null : host };
}

/** Whether it names a host at all. Costs nothing: commands ask it before they load anything of a fleet. */
export function hasHost(typed: string): boolean {
  return typed.lastIndexOf("@") > 0;
}
