import { expect, test } from "vitest";
import { listServer } from "../../src/tmux/listing.js";
import { attachedClients, detachClient, killServer } from "../../src/tmux/server.js";
import { newSession } from "../../src/tmux/session.js";
import { openTmux } from "../../src/tmux/tmux.js";
import { until } from "../home.js";
import { openTestSession, openTestTmux } from "./open.js";

test("clients are listed with their permissions, and detached by name", async () => {
  const { home, tmux } = await openTestSession();
  const attach = [
    "tmux",
    "-u",
    "-S",
    home.socket,
    "attach-session",
    "-t",
    "=team",
    "-f",
    "read-only,ignore-size",
  ];
  await newSession(tmux, { name: "viewer", width: 90, height: 30, argv: ["-u", "TMUX", ...attach] });
  const client = await until("the client", async () => (await attachedClients(tmux))[0]);
  expect(client).toMatchObject({ sessionId: "$0", width: 90, height: 30, readOnly: true, ignoresSize: true });
  expect(client.name).toMatch(/^\/dev\//);
  expect(client.activeAtMs).toBeGreaterThan(Date.UTC(2020, 0));
  expect((await listServer(tmux)).panes[0]?.sessionAttached).toBe(1);
  await detachClient(tmux, client);
  await until("it left", async () => (await attachedClients(tmux)).length === 0);
});

test("the server that happens to be there is never ended, a named one is (incident 60)", async () => {
  const { home, tmux } = await openTestSession();
  const { HIVEMIND_TMUX_SOCKET: socket, ...env } = home.env;
  const inside = openTmux({ env: { ...env, TMUX: `${socket},1,0` } });
  expect((await listServer(inside)).panes).toHaveLength(1);
  await expect(killServer(inside)).rejects.toThrow(/refused/);
  expect((await listServer(tmux)).panes).toHaveLength(1);
  await killServer(tmux);
  await until("it ended", async () => (await listServer(tmux).catch(() => null))?.server === null);
});

test("without a server, listing clients is an error", async () => {
  const { tmux } = openTestTmux();
  await expect(attachedClients(tmux)).rejects.toMatchObject({ reason: "no-server" });
});
