import { describe, expect, it } from "vitest";
import { fleetOf, transcript } from "../../../test/fleet/made.js";
import { idOf } from "../../../test/transcripts/files.js";
import type { SessionStart } from "../../agents/launch.js";
import { configFolderFor, workFolderOf } from "./session-folder.js";

const [one, two] = [idOf(1), idOf(2)];
const lies = (folder: string, slug: string) => ({ path: `${folder}/projects/${slug}/${one}.jsonl` });
const inB = transcript(1, { firstCwd: "/a/b", lastCwd: "/a/b/sub" }, lies("/cfg", "-a-b"));
const resume: SessionStart = { how: "resume", id: one };
const fork: SessionStart = { how: "fork", id: two, parent: one };

const check = (session: SessionStart, cwd: string, written = [inB]) =>
  configFolderFor(session, cwd, fleetOf(written).index);

describe("configFolderFor", () => {
  it("a session opens in its own folder, and elsewhere it is refused with that folder in the error (incident 14)", () => {
    expect(check(resume, "/a/b")).toBe("/cfg");
    expect(check(fork, "/a/b")).toBe("/cfg");
    expect(() => check(resume, "/a")).toThrow(/belongs to \/a\/b, not to \/a$/);
    expect(() => check(fork, "/a/b/sub")).toThrow(/belongs to \/a\/b, not to/);
    expect(() => check(resume, "/a/b", [])).toThrow(/has no transcript: there is nothing to resume/);
  });

  it("a folder with the same slug is another folder, unless the records come from another machine", () => {
    expect(() => check(resume, "/a-b")).toThrow(/belongs to \/a\/b, not to \/a-b/);
    const pulled = transcript(1, { firstCwd: "/far/away", lastCwd: "/far/away" }, lies("/cfg", "-a-b"));
    expect(check(resume, "/a-b", [pulled])).toBe("/cfg");
    expect(workFolderOf(pulled)).toBeNull();
  });

  it("an id with a transcript anywhere is not created again", () => {
    expect(() => check({ how: "create", id: one }, "/elsewhere")).toThrow(/has a transcript already/);
    expect(() => check({ how: "fork", id: one, parent: two }, "/a/b")).toThrow(/has a transcript already/);
    expect(check({ how: "create", id: two }, "/elsewhere")).toBeNull();
  });

  it("of two files with one id the one of this folder decides, with its own config folder", () => {
    const other = transcript(1, { firstCwd: "/x", lastCwd: "/x" }, lies("/second", "-x"));
    expect(check(resume, "/x", [inB, other])).toBe("/second");
  });
});
