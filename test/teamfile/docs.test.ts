import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Key, keys, placesOf, valuesOf } from "../../src/teamfile/keys.js";
import { readTeamFile } from "../../src/teamfile/read-team-file.js";
import { teamFileSchema } from "../../src/teamfile/schema.js";

const page = readFileSync(new URL("../../docs/team-file.md", import.meta.url), "utf8");
const place = { path: "hivemind.yaml", folder: "/srv/web4", home: null };

function row(key: Key): string {
  const values = valuesOf(key);
  const about = `${key.about}${values === null ? "" : ` (${values})`}`;
  return `| \`${key.name}\` | ${placesOf(key)} | ${about} | ${key.standard ?? "an error"} | \`${key.example}\` |`;
}

test("the documentation has every key exactly as the table of keys (incident 68)", () => {
  const rows = page.split("\n").filter((line) => /^\| `/.test(line));
  expect(rows).toEqual(keys.map(row));
});

test("the documentation's example is a good team file, and so is the example of each key", () => {
  const [, example] = /```yaml\n(project:[\s\S]*?)```/.exec(page) ?? [];
  expect(readTeamFile(example ?? "", place)).toHaveProperty("team");
  for (const { name, places, example: value } of keys) {
    const top = places.includes("top");
    const base = { project: "a", session: "s", agents: "{ lead: , dev: }" };
    const file: Record<string, string> = {
      ...base,
      ...(top ? { [name]: value } : { agents: `{ lead: , dev: { ${name}: ${value} } }` }),
    };
    const text = Object.entries(file)
      .map(([key, each]) => `${key}: ${each}\n`)
      .join("");
    expect(readTeamFile(text, place), text).toHaveProperty("team");
  }
});

test("the built schema matches the table", () => {
  const built = readFileSync(new URL("../../dist/hivemind.schema.json", import.meta.url), "utf8");
  expect(JSON.parse(built)).toEqual(JSON.parse(JSON.stringify(teamFileSchema)));
});
