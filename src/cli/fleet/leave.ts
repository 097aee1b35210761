import { counted } from "../../base/text/counted.js";
import type { Join } from "../../link/join.js";
import type { Bus } from "../../nats/bus.js";
import type { Cli, Command } from "../command.js";
import { needPerson } from "../person.js";

export const fleetLeave: Command = {
  words: "fleet leave",
  about: "take this host out of its fleet",
  examples: ["hivemind fleet leave"],
  notes:
    "Removes the lease and the rows of this host from the server, and the password from this host. Running agents go on.\n" +
    "What far hosts were allowed stays written for the next join. Only a person may leave.",
  async run(cli) {
    const hive = await cli.hive();
    needPerson(cli, hive, await hive.panes());
    const { needJoin } = await import("../../link/join.js");
    const join = needJoin(cli.env, hive.stores);
    // First: a worker that starts again meanwhile must find no fleet.
    await hive.stores.fleetJoin.update((rows) => rows.filter(({ what }) => what === "allow"));
    for (const secret of ["password", "credentials", "authorities"] as const)
      hive.stores.fleetJoin.keepSecret(secret, null);
    // It has written nothing there.
    if (!join.isReader) await withdrawAll(cli, join);
    cli.out.print(`this host has left the fleet; restart ${cli.self} watch if it runs`);
  },
};

async function withdrawAll(cli: Cli, join: Join): Promise<void> {
  try {
    const { connectBus } = await import("../../nats/connect.js");
    const bus = await connectBus(join.address);
    try {
      const claimed = await withdraw(bus, join);
      if (claimed > 0)
        cli.out.note(
          `${join.host} still claims ${counted(claimed, "conversation")}: other hosts continue them as forks only`,
        );
    } finally {
      await bus.close();
    }
  } catch (error) {
    cli.out.note(`the rows of ${join.host} stay on the server: ${(error as Error).message}`);
  }
}

/** The number of conversations that this host claims. */
async function withdraw(bus: Bus, { host }: Join): Promise<number> {
  const { buckets, word } = await import("../../link/subjects.js");
  for (const name of [buckets.agents, buckets.teams]) {
    const bucket = await bus.bucket(name);
    for (const { key } of await bucket.all(`${word(host)}.>`)) await bucket.remove(key);
  }
  await (await bus.bucket(buckets.hosts)).remove(word(host));
  const claims = await (await bus.bucket(buckets.claims)).all();
  return claims.filter(({ value }) => holderIn(value) === word(host)).length;
}

function holderIn(value: Uint8Array): unknown {
  try {
    return (JSON.parse(Buffer.from(value).toString("utf8")) as { host?: unknown } | null)?.host;
  } catch {
    return null;
  }
}
