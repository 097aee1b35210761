import { resolve } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { HiveError, UsageError } from "../../base/errors.js";
import { randomHex } from "../../base/random.js";
import { limits } from "../../limits.js";
import { hostName } from "../../names/gates.js";
import type { BusAddress } from "../../nats/bus.js";
import type { Standing } from "../../stores/link/fleet-join.js";
import type { Command } from "../command.js";
import { shown } from "../output.js";

/** The server reads its users a moment after it was told to. */
async function untilKnown(address: BusAddress): Promise<void> {
  const { connectBus } = await import("../../nats/connect.js");
  for (let tries = limits.fleetKnownTries; tries > 0; tries--) {
    try {
      return await (await connectBus(address)).close();
    } catch {
      await rest(limits.fleetKnownMs);
    }
  }
}

export const fleetInvite: Command = {
  words: "fleet invite",
  about: "let a host join the fleet whose server runs here",
  args: [{ name: "host", about: "the name of that host in the fleet" }],
  options: [
    {
      name: "read-only",
      about:
        "it may look at the fleet, and publishes nothing of its own; agents there work as without a fleet",
    },
    { name: "no-act", about: "it may not decide, start or stop anything on other hosts" },
    {
      name: "file",
      value: "path",
      meaning: "path",
      about: "where the invitation goes (default: HOST.fleet)",
    },
    { name: "again", about: "a new password for a host that the server knows; the old one ends" },
  ],
  examples: ["hivemind fleet invite beta", "hivemind fleet invite wall --read-only"],
  notes:
    "Writes a file with the addresses, the password and the certificate. Bring it to that host as you would a key (scp),\n" +
    "and remove it after `hivemind fleet join`. Only a person may invite.",
  async run(cli, input) {
    const host = hostName(input.need("host"));
    const hive = await cli.hive();
    const { needPerson } = await import("../person.js");
    needPerson(cli, hive, await hive.panes());
    const { stores } = hive;
    const { word } = await import("../../link/subjects.js");
    const { certificateOf, keeperAddress, settingsIn, writeConfig } = await import("./own-server.js");
    const settings = settingsIn(stores);
    if (settings === null)
      throw new HiveError("no server of a fleet was started on this host", { hint: "hivemind fleet serve" });
    if (input.flag("read-only") && input.flag("no-act"))
      throw new UsageError("--read-only includes --no-act: type one of them");
    const standing: Standing = input.flag("read-only") ? "reader" : input.flag("no-act") ? "quiet" : "member";
    const isKnown = stores.fleetServer.users.read().rows.some((row) => row.host === host);
    if (isKnown && !input.flag("again"))
      throw new HiveError(`the server knows ${host} already`, {
        hint: `hivemind fleet invite ${host} --again ends its old password`,
      });
    const password = randomHex(32);
    const path = resolve(input.option("file") ?? `${host}.fleet`);
    const { writeInvitation } = await import("../../stores/link/fleet-server.js");
    const { invitationText } = await import("../../link/invitation.js");
    const servers = settings.publics.map((each) => `${settings.hasTls ? "tls" : "nats"}://${each}`);
    const tls = settings.hasTls ? { certificate: certificateOf(stores).authorities } : {};
    writeInvitation(path, invitationText({ host, servers, password, standing, ...tls }));
    await stores.fleetServer.users.update((rows) => [
      ...rows.filter((row) => row.host !== host),
      { host, standing, password },
    ]);
    // The server follows the file too, but a person may join within that second.
    await writeConfig(stores, settings);
    const pid = stores.fleetServer.running();
    const { reloadNatsServer } = await import("../../nats/run-server.js");
    if (pid !== null) {
      reloadNatsServer(pid);
      const address = keeperAddress(stores, settings);
      await untilKnown({ ...address, user: { name: word(host), password } });
    }
    cli.out.lines([
      `${host} may join. Bring this file there and type:`,
      `  hivemind fleet join ${shown(path.split("/").at(-1)!)}`,
      `The file is ${shown(path)}. It opens the fleet: remove it afterwards.`,
    ]);
    if (settings.cluster !== null)
      cli.out.note(
        `copy ${shown(stores.fleetServer.users.path)} to the other nodes: they take it in at once`,
      );
    if (pid === null) cli.out.note(`the server does not run here now: ${cli.self} fleet serve`);
  },
};
