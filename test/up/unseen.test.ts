import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { idFor, writtenTeam } from "./written.js";

test("a team with unreadable conversations does not start fresh (incident 64)", () => {
  const { home, run, agents } = writtenTeam({ lead: ["prompt: lead.md"] });
  writeFileSync(join(home.work, "lead.md"), "You lead.\n");
  expect(run("up").code).toBe(0);
  expect(run("down").code).toBe(0);
  const projects = join(home.claude, "projects");
  renameSync(projects, `${projects}.away`);
  // A link to itself fails for every user, the superuser too.
  symlinkSync(projects, projects);
  const why = `its conversation ${idFor("lead")} could not be seen: ELOOP`;
  expect(run("plan")).toMatchObject({ code: 3, stdout: expect.stringContaining(`! refuse lead: ${why}`) });
  expect(run("up", "--dry-run").code).toBe(3);
  expect(run("up")).toMatchObject({ code: 3, stderr: expect.stringContaining(`ls -ld ${projects}\n`) });
  expect(() => home.tmux("list-panes", "-a")).toThrow();
  rmSync(projects);
  renameSync(`${projects}.away`, projects);
  expect(run("up")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("resumes its conversation"),
  });
  expect(agents().lead?.uuid).toBe(idFor("lead"));
});
