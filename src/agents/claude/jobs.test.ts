import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readJobs } from "./jobs.js";

const [first, second] = ["1", "2"].map((digit) => `${digit}d65a42d-0000-4000-8000-00000000000a`);

function folderWith(jobs: Record<string, unknown>): string {
  const folder = mkdtempSync(join(tmpdir(), "hm-jobs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, state] of Object.entries(jobs)) {
    mkdirSync(join(folder, "jobs", name), { recursive: true });
    const text = typeof state === "string" ? state : JSON.stringify(state);
    writeFileSync(join(folder, "jobs", name, "state.json"), text);
  }
  return folder;
}

test("a job has its session, its parent session and its name", () => {
  const state = { sessionId: first, forkParentSessionId: second, name: "lead ⑂", state: "working" };
  expect(readJobs(folderWith({ "1d65a42d": state }))).toEqual([
    { id: "1d65a42d", session: first, parent: second, name: "lead ⑂" },
  ]);
});

test("after /clear inside a job its session is the one to resume", () => {
  const state = { sessionId: first, resumeSessionId: second };
  expect(readJobs(folderWith({ "1d65a42d": state }))).toMatchObject([{ session: second, parent: null }]);
});

test("torn and foreign files are skipped, and a missing folder has no jobs", () => {
  const odd = { "1d65a42d": "{", "2d65a42d": [1], "3d65a42d": { sessionId: 7 }, pins: { sessionId: first } };
  expect(readJobs(folderWith(odd))).toEqual([]);
  expect(readJobs("/nowhere/at/all")).toEqual([]);
});
