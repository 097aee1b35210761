import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeHome, removeHome } from "../home.js";
import { bounded } from "./bounded.js";

/** The full size is HIVEMIND_STRESS_TRANSCRIPTS=50000. */
const count = Number(process.env.HIVEMIND_STRESS_TRANSCRIPTS ?? 5_000);

/** Many files are slow to create and to remove. */
const patienceMs = 60_000 + 10 * count;

const home = makeHome();
afterAll(() => removeHome(home), patienceMs);

test(
  `a client folder with ${count} transcripts is read in bounded memory, then cached`,
  async () => {
    const folder = join(home.claude, "projects", "-srv-many");
    mkdirSync(folder, { recursive: true });
    for (let at = 0; at < count; at++) {
      const id = `00000000-0000-4000-8000-${at.toString(16).padStart(12, "0")}`;
      const message = { type: "user", uuid: `m${at}`, parentUuid: null, sessionId: id, cwd: "/srv/many" };
      const records = [{ type: "custom-title", customTitle: `t${at}`, sessionId: id }, message];
      writeFileSync(
        join(folder, `${id}.jsonl`),
        `${records.map((each) => JSON.stringify(each)).join("\n")}\n`,
      );
    }
    const cold = await bounded(home, ["sessions", "--all", "--json"]);
    expect({ code: cold.code, sessions: JSON.parse(cold.stdout).sessions.length }).toEqual({
      code: 0,
      sessions: count,
    });
    const warm = await bounded(home, ["sessions", "--all", "--json"]);
    expect(JSON.parse(warm.stdout).sessions).toEqual(JSON.parse(cold.stdout).sessions);
    for (const { megabytes } of [cold, warm]) expect(megabytes).toBeLessThan(200 + count / 50);
  },
  patienceMs,
);
