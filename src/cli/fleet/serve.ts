import { unwatchFile, watchFile } from "node:fs";
import { isIP } from "node:net";
import { HiveError, UsageError } from "../../base/errors.js";
import { limits } from "../../limits.js";
import type { Cli, Command, Input } from "../command.js";
import type { ServerSettings } from "./own-server.js";
import { bracketed, isLoopback, placeIn } from "./server-place.js";

export const fleetServe: Command = {
  words: "fleet serve",
  about: "run the NATS server of a fleet",
  options: [
    { name: "listen", value: "address", about: "an address of this host (default: 127.0.0.1)" },
    { name: "port", value: "number", about: `the port (default: ${limits.natsPort})` },
    {
      name: "public",
      value: "address:port",
      isMany: true,
      about: "how hosts reach the server; repeat it for every node (default: --listen and --port)",
    },
    { name: "no-tls", about: "without TLS; only on an address of this machine alone" },
    { name: "node", value: "name", about: "the name of this node in a cluster" },
    { name: "cluster", value: "address:port", about: "where this node hears the other nodes" },
    { name: "route", value: "address:port", isMany: true, about: "where another node hears; repeat it" },
  ],
  examples: [
    "hivemind fleet serve",
    "hivemind fleet serve --listen 0.0.0.0 --public 10.0.0.1:4222",
    "hivemind fleet serve --listen 10.0.0.1 --node n1 --cluster 10.0.0.1:6222 --route 10.0.0.2:6222 --route 10.0.0.3:6222",
  ],
  notes:
    "Runs Debian's nats-server in the foreground with TLS, and one user per host that `hivemind fleet invite` made. Its\n" +
    "files are in hivemind.fleet/server of the config folder. Ctrl-C ends it; agents go on, and the hosts connect again\n" +
    "when it is back. The next start remembers the options of the last one. docs/fleet.md says more.",
  async run(cli, input) {
    const interrupted = cli.untilInterrupted();
    const { stores } = await cli.hive();
    const { findNatsServer, reloadNatsServer, runNatsServer } = await import("../../nats/run-server.js");
    const own = await import("./own-server.js");
    const running = stores.fleetServer.running();
    if (running !== null)
      throw new HiveError(`the fleet's server runs already: process ${running}`, { hint: `kill ${running}` });
    const program = findNatsServer(cli.env);
    if (program === null)
      throw new HiveError("nats-server is not installed", { hint: "sudo apt-get install nats-server" });
    const settings = wishesIn(input, own.settingsIn(stores));
    await own.writeConfig(stores, settings);
    await own.keepSettings(stores, settings);
    const server = await runNatsServer(program, stores.fleetServer.paths.config);
    try {
      stores.fleetServer.announce(server.pid);
      const version = await prepare(cli, own.keeperAddress(stores, settings), settings, interrupted);
      cli.out.lines(greeting(cli, version, settings, stores.fleetServer.users.read().rows.length));
      if (settings.hasTls)
        cli.out.print(`Its certificate has the SHA-256 ${own.certificateOf(stores).fingerprint}.`);
      const stop = new Promise<null>((resolve) => {
        if (interrupted.aborted) resolve(null);
        interrupted.addEventListener("abort", () => resolve(null));
      });
      follow(cli, stores.fleetServer.users.path, async () => {
        await own.writeConfig(stores, settings);
        reloadNatsServer(server.pid);
      });
      const lastWords = await Promise.race([server.ended, stop]);
      if (lastWords !== null)
        throw new HiveError(`nats-server has ended: ${lastWords}`, { hint: "hivemind fleet serve" });
    } finally {
      unwatchFile(stores.fleetServer.users.path);
      await server.stop();
      stores.fleetServer.withdraw();
    }
  },
};

/** An invitation changes the users; for the other nodes of a cluster somebody copies the file. */
function follow({ out }: Cli, path: string, reload: () => Promise<void>): void {
  watchFile(path, { interval: limits.fleetUsersMs, persistent: false }, () => {
    void reload().catch((error: Error) =>
      out.note(`hivemind: the users stay as they were: ${error.message}`),
    );
  });
}

/** Makes the streams. A node of a cluster waits until most nodes are there. */
async function prepare(
  { out }: Cli,
  address: Parameters<typeof import("../../nats/connect.js").connectBus>[0],
  { cluster }: ServerSettings,
  interrupted: AbortSignal,
): Promise<string> {
  const { connectBus } = await import("../../nats/connect.js");
  const { makeFleet } = await import("../../link/make-fleet.js");
  const { setTimeout: rest } = await import("node:timers/promises");
  const bus = await connectBus(address);
  try {
    for (;;) {
      try {
        await makeFleet(bus);
        return bus.serverVersion;
      } catch (error) {
        if (cluster === null || interrupted.aborted) throw error;
        out.progress(`waiting for the other nodes: ${(error as Error).message}`);
        await rest(limits.natsReconnectMs);
      }
    }
  } finally {
    out.progress(null);
    await bus.close();
  }
}

/** What is not typed is as last time. */
function wishesIn(input: Input, before: ServerSettings | null): ServerSettings {
  const listen = input.option("listen") ?? before?.listen ?? "127.0.0.1";
  if (isIP(listen) === 0)
    throw new UsageError("--listen takes an IP address of this host", { hint: "--listen 0.0.0.0" });
  const port = Number(input.option("port") ?? before?.port ?? limits.natsPort);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new UsageError("--port takes a number up to 65535");
  const hasTls = input.flag("no-tls") ? false : (before?.hasTls ?? true);
  if (!hasTls && !isLoopback(listen))
    throw new UsageError("without TLS the server listens on this machine alone", {
      hint: "leave out --no-tls",
    });
  const typed = input.options("public");
  for (const each of typed) placeIn(each);
  const isOpen = listen === "0.0.0.0" || listen === "::";
  const kept = before !== null && before.listen === listen && before.port === port ? before.publics : [];
  const publics =
    typed.length > 0 ? typed : kept.length > 0 ? kept : isOpen ? [] : [`${bracketed(listen)}:${port}`];
  if (publics.length === 0)
    throw new UsageError("how do other hosts reach this machine?", {
      hint: `add --public ADDRESS:${port}, the address that they use`,
    });
  const [node, cluster] = [input.option("node"), input.option("cluster")];
  if ((node === undefined) !== (cluster === undefined))
    throw new UsageError("a node of a cluster needs --node, --cluster and --route");
  return {
    ...{ listen, port, hasTls, publics },
    cluster:
      node === undefined || cluster === undefined
        ? (before?.cluster ?? null)
        : { node, ...placeIn(cluster), routes: input.options("route") },
  };
}

function greeting(
  cli: Cli,
  version: string,
  { publics, hasTls, cluster }: ServerSettings,
  users: number,
): string[] {
  const node = cluster === null ? "" : `, node ${cluster.node}`;
  return [
    `The fleet's server (nats-server ${version}${node}) listens on ${publics.join(" and ")}${hasTls ? " with TLS" : ", without TLS"}.`,
    users === 0
      ? `It knows no host yet. In another terminal: ${cli.self} fleet invite NAME`
      : `It knows ${users === 1 ? "one host" : `${users} hosts`}. Another one: ${cli.self} fleet invite NAME`,
    "Ctrl-C ends it.",
  ];
}
