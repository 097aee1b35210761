// NAME@HOST, typed behind every command that names an agent, a team, a pane or a saved team.

import { afterAll, beforeAll, expect, test } from "vitest";
import { allOptions, type Command } from "../../src/cli/command.js";
import { rows } from "../../src/cli/command-table.js";
import { refusesHosts } from "../../src/cli/far/own-names.js";
import { hivemind } from "../command.js";
import { type TestHome, testHome } from "../home.js";
import { farAgent, farHost, farWatch } from "./far-hosts.js";
import { type NatsServers, startServers } from "./servers.js";

let servers: NatsServers;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => servers.stop());

type Place = Pick<NonNullable<Command["args"]>[number], "name" | "meaning" | "host">;
const isNaming = (place: Place) => place.host === "taken" || refusesHosts(place);

/** One line for each argument and option that names something: what is typed, with this name in its place. */
async function lines(nameOf: (place: Place) => string): Promise<string[][]> {
  const commands = await Promise.all(rows.map((row) => row.load()));
  return commands.flatMap((command) => {
    const { words, args = [] } = command;
    const needed = args.filter(({ isOptional }) => isOptional !== true);
    const typed = words.split(" ");
    const inArgs = args.flatMap((place, at) =>
      isNaming(place)
        ? [
            [
              ...typed,
              ...args.slice(0, at).map(() => "x"),
              nameOf(place),
              ...args.slice(at + 1).flatMap((each) => (needed.includes(each) ? "1" : [])),
              // A team can be followed by a text, and is one without it.
              ...(words === "broadcast" ? ["hello"] : []),
            ],
          ]
        : [],
    );
    const inOptions = allOptions(command)
      .filter((option) => option.value !== undefined && isNaming(option))
      .map((option) => [...typed, ...needed.map(() => "x"), `--${option.name}`, nameOf(option)])
      .map((line) => (words === "broadcast" ? [...line, "hello"] : line));
    return [...inArgs, ...inOptions];
  });
}

/** What was wrong with the answer; null for a good one. */
function complaint(home: TestHome, line: readonly string[], sentence: RegExp): string | null {
  const { code, stdout, stderr } = hivemind(home, line);
  const said = `${stdout}${stderr}`;
  const about = `hivemind ${line.join(" ")}: exit ${code}: ${said}`;
  if (/this is a bug|^\s+at .*:\d+/m.test(said)) return `a stack: ${about}`;
  if (code === 0 || code === 4) return null;
  if (code !== 1 && code !== 2) return `another exit code: ${about}`;
  return sentence.test(stderr) ? null : `another sentence: ${about}`;
}

test("[ON1] every command takes NAME@HOST, or says that the name is of another host", async () => {
  const [alpha, beta] = [farHost(servers, "alpha"), farHost(servers, "beta")];
  await farAgent(alpha, "lead");
  const agent = await farAgent(beta, "lead");
  const team = beta.tmux("display-message", "-p", "-t", agent.pane, "#{session_name}").trim();
  await farWatch(beta);
  const typed = await lines(({ meaning }) => (meaning === "team" ? `${team}@beta` : "lead@beta"));
  expect(typed.length).toBeGreaterThan(80);
  const found = typed.map((line) => complaint(alpha, line, /(?<!@)\bbeta\b/));
  expect(found.filter((each) => each !== null)).toEqual([]);
  const acts = hivemind(beta, ["events"])
    .stdout.split("\n")
    .filter((line) => line.includes("far.acted"));
  expect(acts.length).toBeGreaterThan(5);
  for (const act of acts) expect(act).toMatch(/ refused$/);
}, 400_000);

test("the name of a host that is not in the fleet is said", async () => {
  const alpha = farHost(servers, "alpha");
  const found = (await lines(() => "lead@nowhere")).map((line) =>
    complaint(alpha, line, /(?<!@)\bnowhere\b/),
  );
  expect(found.filter((each) => each !== null)).toEqual([]);
}, 400_000);

test("without a fleet the host is said, and that this host is in none", async () => {
  const home = testHome();
  const inNone = /"beta" would be a host of a fleet, and this host is in none/;
  const typed = (await lines(() => "lead@beta")).filter(([first]) => first !== "broadcast");
  const found = typed.map((line) => complaint(home, line, inNone));
  expect(found.filter((each) => each !== null)).toEqual([]);
}, 400_000);
