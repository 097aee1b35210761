import { describe, expect, it } from "vitest";
import { fleetOf, transcript } from "../../test/fleet/made.js";
import { idOf } from "../../test/transcripts/files.js";
import type { SessionStart } from "../agents/agent.js";
import { configFolderFor, workFolderOf } from "./session-folder.js";

const [one, two] = [idOf(1), idOf(2)];
const lies = (folder: string, slug: string) => ({ path: `${folder}/projects/${slug}/${one}.jsonl` });
const inB = transcript(1, { firstCwd: "/a/b", lastCwd: "/a/b/sub" }, lies("/cfg", "-a-b"));
const resume: SessionStart = { how: "resume", id: one };
const fork: SessionStart = { how: "fork", id: two, parent: one };

const check = (session: SessionStart, cwd: string, written = [inB]) =>
  configFolderFor(session, cwd, fleetOf(written).index);

describe("configFolderFor", () => {
  it("[TSF1] a session is taken up in its own folder, and elsewhere refused with that folder named (incident 14)", () => {
    expect(check(resume, "/a/b")).toBe("/cfg");
    expect(check(fork, "/a/b")).toBe("/cfg");
    expect(() => check(resume, "/a")).toThrow(/belongs to \/a\/b, not to \/a$/);
    expect(() => check(fork, "/a/b/sub")).toThrow(/belongs to \/a\/b, not to/);
    expect(() => check(resume, "/a/b", [])).toThrow(/has no transcript: there is nothing to resume/);
  });

  it("[TSF2] a folder of the same slug is another folder, unless the records speak of a far machine", () => {
    expect(() => check(resume, "/a-b")).toThrow(/belongs to \/a\/b, not to \/a-b/);
    const pulled = transcript(1, { firstCwd: "/far/away", lastCwd: "/far/away" }, lies("/cfg", "-a-b"));
    expect(check(resume, "/a-b", [pulled])).toBe("/cfg");
    expect(workFolderOf(pulled)).toBeNull();
  });

  it("[TSF3] an id that has a transcript anywhere is not begun again", () => {
    expect(() => check({ how: "create", id: one }, "/elsewhere")).toThrow(/has a transcript already/);
    expect(() => check({ how: "fork", id: one, parent: two }, "/a/b")).toThrow(/has a transcript already/);
    expect(check({ how: "create", id: two }, "/elsewhere")).toBeNull();
  });

  it("[TSF4] of two files of one id the one in the folder decides, with its own config folder", () => {
    const other = transcript(1, { firstCwd: "/x", lastCwd: "/x" }, lies("/second", "-x"));
    expect(check(resume, "/x", [inB, other])).toBe("/second");
  });
});
