import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { limits } from "../../limits.js";
import type { Host, SessionId, TeamName } from "../../names/gates.js";
import type { Manifest } from "../../stores/text/bundle.js";
import { formatFarTeam, readFarTeam, sessionOfFile } from "./far-team.js";

const [alpha, beta] = ["alpha", "beta"] as Host[];
const id = "00000000-0000-4000-8000-000000000001" as SessionId;
const transcript = `projects/-w/${id}.jsonl`;
const page: Manifest = {
  ...{
    version: 1,
    host: alpha!,
    packedAt: "2026-01-01T00:00:00Z",
    savedAt: null,
    teams: ["web" as TeamName],
  },
  files: [{ path: transcript, sizeBytes: 3, sha256: "0".repeat(64) }],
};
const team = { page, texts: new Map([["hivemind.roles.env", "x"]]), copies: new Map([[id, 4]]) };
const written = (row: object) => gzipSync(JSON.stringify({ v: 1, page, texts: {}, copies: {}, ...row }));

test("[FM1] a team reads back under the host of its key", () => {
  expect(readFarTeam(alpha!, "web", formatFarTeam(team))).toEqual(team);
  expect(readFarTeam(beta!, "web", formatFarTeam(team))?.page.host).toBe("beta");
});

test.each<[string, Uint8Array]>([
  ["another team than its key", written({ page: { ...page, teams: ["api"] } })],
  ["two teams", written({ page: { ...page, teams: ["web", "api"] } })],
  ["a path that leads out", written({ page: { ...page, files: [{ ...page.files[0], path: "../x" }] } })],
  ["a newer version", written({ v: 2 })],
  ["no manifest", written({ page: null })],
  ["text", Buffer.from("hello")],
  ["nothing", Buffer.alloc(0)],
  ["a bomb", gzipSync(Buffer.alloc(limits.farTeamBytes + 1))],
])("[FM1] %s is no team", (_, bytes) => expect(readFarTeam(alpha!, "web", bytes)).toBeNull());

test("[FM1] foreign fields are left out", () => {
  const found = readFarTeam(alpha!, "web", written({ texts: { a: 1, b: "x" }, copies: { no: 1, [id]: -1 } }));
  expect(found).toMatchObject({ texts: new Map([["b", "x"]]), copies: new Map() });
});

test("the session of a file", () => {
  expect(sessionOfFile(transcript)).toBe(id);
  expect(sessionOfFile("hivemind.roles.env")).toBeNull();
});
