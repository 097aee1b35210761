import { setTimeout as rest } from "node:timers/promises";
import { HiveError, UsageError } from "../../base/errors.js";
import { readBytes } from "../../base/files/atomic-file.js";
import { limits } from "../../limits.js";
import { type Host, hostName } from "../../names/gates.js";
import type { Bus, BusAddress } from "../../nats/bus.js";
import type { Standing } from "../../stores/link/fleet-join.js";
import type { Stores } from "../../stores/stores.js";
import type { Command, Input } from "../command.js";
import { shown } from "../output.js";

export const fleetJoin: Command = {
  words: "fleet join",
  about: "make this host a part of a fleet",
  args: [
    {
      name: "invitation",
      about: "a file of `hivemind fleet invite`, or nats://ADDRESS:PORT (several: commas between them)",
      meaning: "path",
    },
  ],
  options: [
    { name: "as", value: "host", about: "the name of this host in the fleet (default: the machine's name)" },
    { name: "user", value: "name", about: "the user on a server of your own" },
    { name: "password-file", value: "file", meaning: "path", about: "its password, in a file" },
    { name: "credentials", value: "file", meaning: "path", about: "a .creds file of NATS" },
    { name: "read-only", about: "the user of your own server may only look (an invitation says it itself)" },
    { name: "ca", value: "file", meaning: "path", about: "certificates to trust, as PEM" },
  ],
  examples: [
    "hivemind fleet join beta.fleet",
    "hivemind fleet join tls://nats.example:4222 --as beta --credentials beta.creds",
  ],
  notes:
    "Tries the connection before it stores anything. Far hosts may do nothing here until you say so: hivemind fleet\n" +
    "allow. Only a person may join. `hivemind watch` or `hivemind serve` keeps the link; start it again after a join.",
  async run(cli, input) {
    const hive = await cli.hive();
    const { needPerson } = await import("../person.js");
    needPerson(cli, hive, await hive.panes());
    const { stores } = hive;
    const wish = await wishIn(input);
    const before = hostIn(stores);
    if (before !== null && before !== wish.host)
      throw new HiveError(`this host is ${before} in its fleet`, { hint: "hivemind fleet leave" });
    const { namesOf } = await import("../../link/join.js");
    const bus = await connectedSoon({ ...wish.address, ...namesOf(wish.host) });
    try {
      const roundTripMs = await bus.roundTrip();
      cli.out.print(`reached nats-server ${bus.serverVersion} in ${roundTripMs} ms`);
      await needStreams(bus);
      cli.out.print("its streams and buckets are there");
      if (before === null) await needFreeName(bus, wish.host);
    } finally {
      await bus.close();
    }
    await keep(stores, wish);
    cli.out.lines([
      `this host is ${wish.host} in the fleet`,
      `Next: ${cli.self} watch --background (restart it if it runs), then ${cli.self} fleet doctor`,
      wish.standing === "reader"
        ? "It only looks at the fleet; its own agents work as without one"
        : `Far hosts may do nothing here yet: ${cli.self} fleet allow --help`,
    ]);
  },
};

/** A server that takes in a user refuses it for a moment, also one that it knew a moment before. */
async function connectedSoon(address: BusAddress): Promise<Bus> {
  const { connectBus } = await import("../../nats/connect.js");
  for (let tries: number = limits.fleetKnownTries; ; tries--) {
    try {
      return await connectBus(address);
    } catch (error) {
      if (tries === 0 || !/authorization violation/i.test((error as Error).message)) throw error;
      await rest(limits.fleetKnownMs);
    }
  }
}

interface Wish {
  host: Host;
  standing: Standing;
  address: Pick<BusAddress, "servers" | "user" | "credentials" | "authorities" | "fingerprint">;
}

async function wishIn(input: Input): Promise<Wish> {
  const given = input.need("invitation");
  const as = input.option("as");
  if (/^\w+:\/\//.test(given)) return addressTyped(given, input);
  for (const option of ["user", "password-file", "credentials", "ca"])
    if (input.option(option) !== undefined)
      throw new UsageError(`an invitation has all it needs: leave out --${option}`);
  if (input.flag("read-only"))
    throw new UsageError("an invitation says itself whether this host only reads: leave out --read-only");
  const { readInvitation } = await import("../../link/invitation.js");
  const { fingerprintOf } = await import("./own-server.js");
  const { host, servers, password, standing, certificate } = readInvitation(textOf(given));
  if (as !== undefined && as !== host)
    throw new UsageError(`this invitation is for ${host}`, { hint: `hivemind fleet invite ${as}` });
  const { word } = await import("../../link/subjects.js");
  const tls =
    certificate === undefined ? {} : { authorities: certificate, fingerprint: fingerprintOf(certificate) };
  return { host, standing, address: { servers, user: { name: word(host), password }, ...tls } };
}

async function addressTyped(given: string, input: Input): Promise<Wish> {
  const { addressIn } = await import("../../link/join.js");
  const { ownHost } = await import("../../hosts/departure.js");
  if (given.includes("@"))
    throw new UsageError("a password on the command line is seen by every program of this machine", {
      hint: "--user NAME --password-file FILE",
    });
  const { servers } = addressIn(given);
  const [user, passwordFile] = [input.option("user"), input.option("password-file")];
  if ((user === undefined) !== (passwordFile === undefined))
    throw new UsageError("--user and --password-file belong together");
  const [credentials, ca] = [input.option("credentials"), input.option("ca")];
  return {
    host: input.option("as") === undefined ? ownHost() : hostName(input.option("as")!),
    standing: input.flag("read-only") ? "reader" : "member",
    address: {
      servers,
      ...(user === undefined ? {} : { user: { name: user, password: textOf(passwordFile!).trim() } }),
      ...(credentials === undefined ? {} : { credentials: Buffer.from(textOf(credentials)) }),
      ...(ca === undefined ? {} : { authorities: textOf(ca) }),
    },
  };
}

function textOf(path: string): string {
  const text = readBytes(path, limits.secretBytes)?.toString("utf8");
  if (text === undefined)
    throw new HiveError(`there is no file ${shown(path)}`, {
      hint: "`hivemind fleet invite HOST` writes one, on the machine that runs the server",
    });
  return text;
}

async function needStreams(bus: Bus): Promise<void> {
  const { makeFleet } = await import("../../link/make-fleet.js");
  try {
    await makeFleet(bus);
  } catch (error) {
    throw new HiveError(`the server keeps no streams for this host: ${(error as Error).message}`, {
      hint: "JetStream must be on, and somebody with all rights runs `hivemind fleet join` or `fleet serve` first",
      cause: error,
    });
  }
}

async function needFreeName(bus: Bus, host: Host): Promise<void> {
  const { buckets, word } = await import("../../link/subjects.js");
  const lease = await (await bus.bucket(buckets.hosts)).get(word(host));
  if (lease !== null)
    throw new HiveError(`the fleet has a living host ${host}`, {
      hint: "join under another name with --as, or invite this host under another name",
    });
}

function hostIn({ fleetJoin }: Stores): string | null {
  return fleetJoin.read().rows.find(({ what }) => what === "host")?.value ?? null;
}

async function keep({ fleetJoin }: Stores, { host, standing, address }: Wish): Promise<void> {
  const { servers, user, credentials, authorities, fingerprint } = address;
  fleetJoin.keepSecret("password", user?.password ?? null);
  fleetJoin.keepSecret("credentials", credentials ?? null);
  fleetJoin.keepSecret("authorities", authorities ?? null);
  await fleetJoin.update((rows) => [
    { what: "host", value: host },
    { what: "standing", value: standing },
    ...servers.map((value) => ({ what: "server", value }) as const),
    ...(user === undefined ? [] : ([{ what: "user", value: user.name }] as const)),
    ...(fingerprint === undefined ? [] : ([{ what: "fingerprint", value: fingerprint }] as const)),
    ...rows.filter(({ what }) => what === "allow"),
  ]);
}
