// From no fleet to a fleet, as a person types it: serve, invite, join, allow, doctor, leave.

import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { word } from "../../src/link/subjects.js";
import { connectBus } from "../../src/nats/connect.js";
import { hivemind } from "../command.js";
import { testHome, until } from "../home.js";
import { freePort, serverFolder, serving, typed, unattended } from "./served.js";

test("a person serves, invites, joins, asks the doctor and leaves", async () => {
  const [home, beta] = [testHome(), testHome()];
  const port = await freePort();
  const server = await serving(home, "--port", port);
  expect(server.said()).toContain(`listens on 127.0.0.1:${port} with TLS`);

  expect((await typed(home, "fleet", "invite", "b.eta")).stdout).toContain("hivemind fleet join b.eta.fleet");
  const invitation = join(home.work, "b.eta.fleet");
  expect(statSync(invitation).mode & 0o777).toBe(0o600);
  const joined = await typed(beta, "fleet", "join", invitation);
  expect(joined).toMatchObject({ code: 0, stderr: "" });
  expect(joined.stdout).toContain("this host is b.eta in the fleet");
  const { password } = JSON.parse(readFileSync(invitation, "utf8"));
  expect(joined.stdout + server.said()).not.toContain(password);
  for (const file of ["password", "server.pem"])
    expect(statSync(join(beta.config, "hivemind.fleet", file)).mode & 0o777).toBe(0o600);

  const doctor = hivemind(beta, ["fleet", "doctor", "--json"]);
  const { checks, isWell } = JSON.parse(doctor.stdout);
  expect(doctor.code).toBe(1);
  expect(isWell).toBe(false);
  const verdicts = Object.fromEntries(
    checks.map((each: { what: string; verdict: string }) => [each.what, each.verdict]),
  );
  expect(verdicts).toMatchObject({ protection: "well", streams: "well", permissions: "well", lease: "bad" });

  await typed(beta, "fleet", "allow", "approve", "--from", "alpha");
  expect(hivemind(beta, ["fleet", "allow"]).stdout).toBe(
    "alpha may decide requests of agents here (approve)\n",
  );
  await typed(beta, "fleet", "forbid", "approve");
  expect(hivemind(beta, ["fleet", "allow"]).stdout).toBe("other hosts may do nothing here\n");

  expect((await typed(beta, "fleet", "leave")).stdout).toContain("has left the fleet");
  expect(existsSync(join(beta.config, "hivemind.fleet", "password"))).toBe(false);
  expect(hivemind(beta, ["fleet", "doctor"]).stderr).toContain("this host is in no fleet");

  expect(await server.stop()).toBe(0);
  expect(existsSync(join(serverFolder(home), "process"))).toBe(false);
  const again = await typed(beta, "fleet", "join", invitation);
  expect(again).toMatchObject({ code: 1 });
  expect(again.stderr).toContain("hivemind fleet serve");
});

test("a host joins although the server takes in its user a moment later", async () => {
  const [home, beta] = [testHome(), testHome()];
  await serving(home, "--port", await freePort());
  expect(await typed(home, "fleet", "invite", "beta")).toMatchObject({ code: 0 });
  const users = join(serverFolder(home), "users.env");
  const known = readFileSync(users, "utf8");
  const config = join(serverFolder(home), "nats.conf");
  const withBeta = readFileSync(config, "utf8");
  writeFileSync(users, known.replace(/^beta\|.*\n/m, ""));
  await until("the server forgets it", () => readFileSync(config, "utf8") !== withBeta);
  const joins = typed(beta, "fleet", "join", join(home.work, "beta.fleet"));
  await new Promise((rest) => setTimeout(rest, 500));
  writeFileSync(users, known);
  expect(await joins).toMatchObject({ code: 0, stderr: "" });
});

test("what no person runs can neither invite nor join nor allow", async () => {
  const home = testHome();
  for (const args of [
    ["fleet", "invite", "beta"],
    ["fleet", "join", "nats://127.0.0.1:1"],
    ["fleet", "allow", "approve"],
    ["fleet", "forbid", "approve"],
    ["fleet", "leave"],
  ])
    expect(await unattended(home, ...args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("only a person"),
    });
});

test("the name of a living host is refused, and a new invitation ends the old password", async () => {
  const [home, beta] = [testHome(), testHome()];
  const port = await freePort();
  await serving(home, "--port", port, "--no-tls");
  await typed(home, "fleet", "invite", "beta");
  const path = join(home.work, "beta.fleet");
  const { servers, password } = JSON.parse(readFileSync(path, "utf8"));
  const bus = await connectBus({
    servers,
    user: { name: "beta", password },
    name: "the living one",
    inboxPrefix: `_INBOX.${word("beta")}`,
  });
  onTestFinished(() => bus.close());
  const hosts = await bus.bucket("hive-hosts");
  await hosts.put("beta", Buffer.from("{}"));
  const refused = await typed(beta, "fleet", "join", path);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("a living host beta") });
  expect(existsSync(join(beta.config, "hivemind.fleet.env"))).toBe(false);
  await hosts.remove("beta");
  await typed(home, "fleet", "invite", "beta", "--again", "--file", "second");
  expect((await typed(beta, "fleet", "join", path)).stderr).toContain("fleet invite HOST --again");
  expect((await typed(beta, "fleet", "join", join(home.work, "second"))).code).toBe(0);
});

test("another server with another certificate is refused", async () => {
  const [home, other, beta] = [testHome(), testHome(), testHome()];
  const port = await freePort();
  const real = await serving(home, "--port", port);
  await typed(home, "fleet", "invite", "beta");
  await real.stop();
  // The same address and the same users, but not the same key.
  await serving(other, "--port", port);
  cpSync(join(serverFolder(home), "users.env"), join(serverFolder(other), "users.env"));
  const refused = await typed(beta, "fleet", "join", join(home.work, "beta.fleet"));
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/certificate/) });
  expect(existsSync(join(beta.config, "hivemind.fleet.env"))).toBe(false);
});

test("without TLS the server listens on this machine alone, and no password is typed", () => {
  const home = testHome();
  const open = hivemind(home, ["fleet", "serve", "--no-tls", "--listen", "0.0.0.0", "--public", "h:1"]);
  expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining("this machine alone") });
  const shown = hivemind(home, ["fleet", "join", "nats://me:secret@127.0.0.1:1"]);
  expect(shown.stderr).toMatch(/seen by every program|only a person/);
});

test("three nodes share one certificate; an invitation reaches all of them, and one may die", async () => {
  const homes = [testHome(), testHome(), testHome()] as const;
  const host = testHome();
  const ports = await Promise.all(Array.from({ length: 6 }, freePort));
  const publics = ports.slice(0, 3).flatMap((port) => ["--public", `127.0.0.1:${port}`]);
  const words = (at: number) => [
    ...["--port", ports[at]!, "--node", `n${at}`, "--cluster", `127.0.0.1:${ports[3 + at]}`, ...publics],
    ...[0, 1, 2].filter((each) => each !== at).flatMap((each) => ["--route", `127.0.0.1:${ports[3 + each]}`]),
  ];
  const first = serving(homes[0], ...words(0));
  await until("the first node has its certificate", () => existsSync(join(serverFolder(homes[0]), "nodes")));
  await until("and its configuration", () => existsSync(join(serverFolder(homes[0]), "nats.conf")));
  for (const other of homes.slice(1)) {
    mkdirSync(serverFolder(other), { recursive: true, mode: 0o700 });
    for (const file of ["certificate.pem", "key.pem", "keeper", "nodes"])
      cpSync(join(serverFolder(homes[0]), file), join(serverFolder(other), file));
  }
  const nodes = await Promise.all([first, serving(homes[1], ...words(1)), serving(homes[2], ...words(2))]);
  for (const [at, node] of nodes.entries()) expect(node.said()).toContain(`node n${at}`);
  const invited = await typed(homes[0], "fleet", "invite", "delta");
  expect(invited.stderr).toContain("users.env to the other nodes");
  for (const other of homes.slice(1))
    cpSync(join(serverFolder(homes[0]), "users.env"), join(serverFolder(other), "users.env"));
  expect(await nodes[0].stop()).toBe(0);
  const invitation = join(homes[0].work, "delta.fleet");
  const joined = await until("delta joins by another node", async () => {
    const ran = await typed(host, "fleet", "join", invitation);
    return ran.code === 0 ? ran : null;
  });
  expect(joined.stdout).toContain("this host is delta");
  const { checks } = JSON.parse(hivemind(host, ["fleet", "doctor", "--json"]).stdout);
  expect(checks).toContainEqual({ what: "copies", verdict: "well", says: "three copies of everything" });
});
