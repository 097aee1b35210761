import { describe, expect, test } from "vitest";
import { idOf } from "../../test/transcripts/files.js";
import { agent, factsOf, fileOf, lead, seated, written } from "../../test/up/made.js";
import type { PaneId, Role, SessionId } from "../names/gates.js";
import { deriveSessionId } from "../names/session-id.js";
import type { TeamFile } from "../teamfile/team-file.js";
import { deeds, planTeam } from "./plan.js";
import type { Mode } from "./step.js";
import type { WantedFacts, Wishes } from "./wanted.js";

const idFor = (name: string) => deriveSessionId("shop", name);
const [own, dev] = [idFor("lead"), idFor("dev")];
const other = idOf(7) as SessionId;

function plan(file: TeamFile, facts: WantedFacts, mode: Mode = "reload", asked: Partial<Wishes> = {}) {
  const wishes: Wishes = { anew: new Set(), isBroadAllowed: false, own: null, ...asked };
  return planTeam(file, new Set(file.agents.map(({ id }) => id)), facts, wishes, mode);
}

const brief = (made: ReturnType<typeof plan>) =>
  made.steps.map((step) => `${step.do} ${step.agent}: ${step.why}`);

test("[UP1] where everything runs as it is written there is nothing to do", () => {
  const file = fileOf(agent("lead"), agent("sh", { kind: "shell" }));
  const facts = factsOf(file, [
    seated(0, file.agents[0]!, own),
    seated(1, file.agents[1]!, null, { dead: false, startCommand: "", command: "bash" }),
  ]);
  for (const mode of ["up", "reload"] as const) {
    expect(brief(plan(file, facts, mode))).toEqual(["keep lead: runs", "keep sh: runs"]);
    expect(deeds(plan(file, facts, mode))).toEqual([]);
  }
});

test("[UP2] one changed model among ten restarts one, and says why; up only says so", () => {
  const names = Array.from({ length: 10 }, (_, at) => `a${at}`);
  const before = names.map((name) => agent(name));
  const file = fileOf(...before.map((each, at) => (at === 3 ? { ...each, model: "sonnet" } : each)));
  const facts = factsOf(
    file,
    before.map((each, at) => seated(at, each, idFor(each.id))),
    [written(idFor("a3"))],
  );
  const made = plan(file, facts);
  expect(deeds(made)).toMatchObject([
    { do: "change", agent: "a3", why: "model unset → sonnet", start: { session: { how: "resume" } } },
  ]);
  const shown = plan(file, facts, "up");
  expect(deeds(shown)).toEqual([]);
  expect(shown.steps[3]!.remarks).toEqual(["differs: model unset → sonnet (hivemind reload a3)"]);
});

test("[UP2] a changed role prompt restarts nobody, and the plan says so", () => {
  const file = fileOf(agent("lead", { promptPaths: ["/p"] }));
  const facts = factsOf(file, [seated(0, file.agents[0]!, own, { launched: { prompt: "old" } })]);
  expect(plan(file, facts).steps).toMatchObject([
    { do: "keep", remarks: [expect.stringContaining("its role prompt changed")] },
  ]);
});

test("[UP2] beginning anew ends who runs, also for up", () => {
  const file = fileOf(agent("lead"));
  const facts = factsOf(file, [seated(0, file.agents[0]!, own)], [written(own)]);
  expect(plan(file, facts, "up", { anew: new Set([lead]) }).steps).toMatchObject([
    { do: "change", why: "begins anew", start: { isAnew: true, session: { how: "create", id: own } } },
  ]);
});

test.each([
  ["crashed", 1, "it crashed: its program ended with exit code 1; goes on with its conversation"],
  ["ended in order", 0, "it ended; goes on with its conversation"],
])("[UP3] one that %s comes back in its pane", (_, deadStatus, why) => {
  const file = fileOf(agent("lead"));
  const facts = factsOf(file, [seated(0, file.agents[0]!, null, { deadStatus })], [written(own)]);
  expect(plan(file, facts, "up").steps).toMatchObject([{ do: "heal", pane: "%0", why, session: own }]);
});

describe("[UP4] what the file does not have", () => {
  const file = fileOf(agent("chief"));
  const facts = factsOf(
    file,
    [seated(0, agent("lead"), own), seated(1, agent("guest"), other, { launched: null })],
    [written(own)],
  );

  test("[UP4] a renamed agent is a new one; the old goes, and its conversation stays where the plan says", () => {
    const made = plan(file, facts);
    expect(brief(made)).toEqual([
      "remove lead: not in the file any more",
      "add chief: begins a conversation",
    ]);
    expect(made.steps[0]!.remarks[0]).toContain(
      `/claude/projects/-a/${own}.jsonl (cd /a && claude --resume ${own})`,
    );
    expect(made.remarks).toEqual(["not in the file, and left alone: web:0.1 (demo)"]);
  });

  test("[UP4] up leaves it running, and says so; so does who names some agents only", () => {
    expect(brief(plan(file, facts, "up"))).toEqual(["keep lead: runs", "add chief: begins a conversation"]);
    const wishes = { anew: new Set<Role>(), isBroadAllowed: false, own: null };
    const some = planTeam(
      fileOf(agent("chief"), agent("x")),
      new Set(["x" as Role]),
      facts,
      wishes,
      "reload",
    );
    expect(brief(some)).toEqual(["add x: begins a conversation"]);
    expect(some.remarks).toEqual([]);
  });
});

describe("[UP5] what is in the way is never replaced", () => {
  const file = fileOf(agent("lead"));
  const only = (found: Parameters<typeof factsOf>[1], asked: Partial<Wishes> = {}) =>
    plan(file, factsOf(file, found), "reload", asked).steps[0]!;

  test("[UP5] a stranger that runs under its name, but not the agent itself after a restore", () => {
    expect(only([seated(0, file.agents[0]!, other, { launched: null })])).toMatchObject({
      do: "refuse",
      why: `web:0.0 has its name, and is in ${other}: not started by this project`,
    });
    expect(only([seated(0, file.agents[0]!, own, { launched: null })])).toMatchObject({ do: "keep" });
  });

  test.each([
    ["runs", other],
    ["ended", null],
  ])("[UP5] what another project started under its name, and that %s", (_, session) => {
    expect(only([seated(0, file.agents[0]!, session, { launched: { project: "theirs" } })])).toMatchObject({
      do: "refuse",
      why: "web:0.0 has its name, and was started by the project theirs",
      hint: "give it another name or session in /a/hivemind.yaml, or close that one: hivemind agent kill web:0.0",
    });
  });

  test("[UP5] an agent that a person runs in a shell of the file", () => {
    const shell = agent("lead", { kind: "shell" });
    const byHand = seated(0, shell, other, { kind: "demo", launched: { env: { A: "old" } } });
    const still = fileOf(shell);
    for (const mode of ["up", "reload"] as const)
      expect(brief(plan(still, factsOf(still, [byHand]), mode))).toEqual(["keep lead: runs"]);
    expect(only([byHand])).toMatchObject({
      do: "refuse",
      why: `web:0.0 has its name, and is in ${other}: not started by this project`,
    });
  });

  test("[UP5] a person's shell in its pane", () => {
    const shell = { dead: false, startCommand: "", command: "bash" };
    expect(only([seated(0, file.agents[0]!, null, shell)])).toMatchObject({
      do: "refuse",
      why: "web:0.0 is lead, and runs bash",
    });
  });

  test("[UP5] the pane this runs in", () => {
    const asked = { anew: new Set([lead]), own: "%0" as PaneId };
    expect(only([seated(0, file.agents[0]!, own)], asked)).toMatchObject({
      do: "refuse",
      why: "this runs in its pane, and would end with it",
    });
  });

  test("[UP5] itself in another tmux session", () => {
    expect(only([seated(0, file.agents[0]!, own, { sessionName: "old", address: "old:0.0" })])).toMatchObject(
      {
        do: "keep",
        why: "runs in old:0.0",
        remarks: ["the file says web"],
      },
    );
  });
});

test("[UP6] parents stand before their forks, and a fork of one that will not speak is refused", () => {
  const told = { promptPaths: ["/p"] };
  const file = fileOf(agent("dev", { fork: lead }), agent("lead", told));
  expect(brief(plan(file, factsOf(file)))).toEqual([
    "add lead: begins a conversation",
    `add dev: begins as a fork of ${own}, once lead has answered`,
  ]);
  expect(plan(file, factsOf(file)).steps[1]!.session).toBe(dev);
  const lost = fileOf(agent("dev", { fork: lead }), agent("lead", { promptPaths: ["/p", "/gone/p"] }));
  expect(brief(plan(lost, factsOf(lost)))).toEqual([
    "refuse lead: there is no role prompt /gone/p",
    "refuse dev: lead has not said a word yet: there is nothing to fork",
  ]);
  expect(plan(lost, factsOf(lost)).steps[1]!.hint).toBe("first what lead lacks, then: hivemind up lead dev");
});

test("[UP7] a team whose tmux session was lost comes back as it stood, who is new behind the others", () => {
  const file = fileOf(agent("new"), agent("dev", { fork: lead }), agent("lead"));
  const stood = ["lead", "gone", "dev"] as Role[];
  const facts = factsOf(file, [], [written(own), written(dev)], { stood });
  expect(plan(file, facts).steps.map((step) => step.agent)).toEqual(["lead", "dev", "new"]);
});
