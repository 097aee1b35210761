import { describe, expect, test } from "vitest";
import { agentRow, madeServer } from "../../test/fleet/made.js";
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

test("a team that runs as its file says needs nothing", () => {
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

test("one changed model among ten restarts one agent, with the reason; up only reports it", () => {
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

test("a changed role prompt restarts no agent, and the plan says so", () => {
  const file = fileOf(agent("lead", { promptPaths: ["/p"] }));
  const facts = factsOf(file, [seated(0, file.agents[0]!, own, { launched: { prompt: "old" } })]);
  expect(plan(file, facts).steps).toMatchObject([
    { do: "keep", remarks: [expect.stringContaining("its role prompt changed")] },
  ]);
});

test("a fresh start ends a running agent, also for up", () => {
  const file = fileOf(agent("lead"));
  const facts = factsOf(file, [seated(0, file.agents[0]!, own)], [written(own)]);
  expect(plan(file, facts, "up", { anew: new Set([lead]) }).steps).toMatchObject([
    { do: "change", why: "starts fresh", start: { isAnew: true, session: { how: "create", id: own } } },
  ]);
});

test.each([
  ["crashed", 1, "it crashed: its program ended with exit code 1; resumes its conversation"],
  ["ended in order", 0, "it ended; resumes its conversation"],
])("an agent that %s comes back in its pane", (_, deadStatus, why) => {
  const file = fileOf(agent("lead"));
  const facts = factsOf(file, [seated(0, file.agents[0]!, null, { deadStatus })], [written(own)]);
  expect(plan(file, facts, "up").steps).toMatchObject([{ do: "heal", pane: "%0", why, session: own }]);
});

describe("agents that the file does not have", () => {
  const file = fileOf(agent("chief"));
  const facts = factsOf(
    file,
    [seated(0, agent("lead"), own), seated(1, agent("guest"), other, { launched: null })],
    [written(own)],
  );

  test("a renamed agent is a new one; the old one goes, and the plan shows where its conversation stays", () => {
    const made = plan(file, facts);
    expect(brief(made)).toEqual([
      "remove lead: no longer in the file",
      "add chief: starts a new conversation",
    ]);
    expect(made.steps[0]!.remarks[0]).toContain(
      `/claude/projects/-a/${own}.jsonl (cd /a && claude --resume ${own})`,
    );
    expect(made.remarks).toEqual(["not in the file, left alone: web:0.1 (demo)"]);
  });

  test("up leaves it running and says so, also when only some agents are given", () => {
    expect(brief(plan(file, facts, "up"))).toEqual([
      "keep lead: runs",
      "add chief: starts a new conversation",
    ]);
    const wishes = { anew: new Set<Role>(), isBroadAllowed: false, own: null };
    const some = planTeam(
      fileOf(agent("chief"), agent("x")),
      new Set(["x" as Role]),
      facts,
      wishes,
      "reload",
    );
    expect(brief(some)).toEqual(["add x: starts a new conversation"]);
    expect(some.remarks).toEqual([]);
  });
});

describe("whatever is in the way is never replaced", () => {
  const file = fileOf(agent("lead"));
  const only = (found: Parameters<typeof factsOf>[1], asked: Partial<Wishes> = {}) =>
    plan(file, factsOf(file, found), "reload", asked).steps[0]!;

  test("a stranger with its name, but not the agent itself after a restore", () => {
    expect(only([seated(0, file.agents[0]!, other, { launched: null })])).toMatchObject({
      do: "refuse",
      why: `web:0.0 has its name but is in ${other}: not started by this project`,
    });
    expect(only([seated(0, file.agents[0]!, own, { launched: null })])).toMatchObject({ do: "keep" });
  });

  test.each([
    ["runs", other],
    ["ended", null],
  ])("an agent with its name that another project started, and that %s", (_, session) => {
    expect(only([seated(0, file.agents[0]!, session, { launched: { project: "theirs" } })])).toMatchObject({
      do: "refuse",
      why: "web:0.0 has its name but was started by the project theirs",
      hint: "give it another name or session in /a/hivemind.yaml, or close that one: hivemind agent kill web:0.0",
    });
  });

  test("an agent that a person runs in a shell of the file", () => {
    const shell = agent("lead", { kind: "shell" });
    const byHand = seated(0, shell, other, { kind: "demo", launched: { env: { A: "old" } } });
    const still = fileOf(shell);
    for (const mode of ["up", "reload"] as const)
      expect(brief(plan(still, factsOf(still, [byHand]), mode))).toEqual(["keep lead: runs"]);
    expect(only([byHand])).toMatchObject({
      do: "refuse",
      why: `web:0.0 has its name but is in ${other}: not started by this project`,
    });
  });

  test("a person's shell in its pane", () => {
    const shell = { dead: false, startCommand: "", command: "bash" };
    expect(only([seated(0, file.agents[0]!, null, shell)])).toMatchObject({
      do: "refuse",
      why: "web:0.0 is lead, but runs bash",
    });
  });

  test("the pane of this command", () => {
    const asked = { anew: new Set([lead]), own: "%0" as PaneId };
    expect(only([seated(0, file.agents[0]!, own)], asked)).toMatchObject({
      do: "refuse",
      why: "this command runs in its pane and would end with it",
    });
  });

  test("itself in another tmux session", () => {
    expect(only([seated(0, file.agents[0]!, own, { sessionName: "old", address: "old:0.0" })])).toMatchObject(
      {
        do: "keep",
        why: "runs in old:0.0",
        remarks: ["the file says web"],
      },
    );
  });
});

test("parents come before their forks, and a fork of an agent without a conversation is refused", () => {
  const told = { promptPaths: ["/p"] };
  const file = fileOf(agent("dev", { fork: lead }), agent("lead", told));
  expect(brief(plan(file, factsOf(file)))).toEqual([
    "add lead: starts a new conversation",
    `add dev: starts as a fork of ${own}, once lead has answered`,
  ]);
  expect(plan(file, factsOf(file)).steps[1]!.session).toBe(dev);
  const lost = fileOf(agent("dev", { fork: lead }), agent("lead", { promptPaths: ["/p", "/gone/p"] }));
  expect(brief(plan(lost, factsOf(lost)))).toEqual([
    "refuse lead: there is no role prompt /gone/p",
    "refuse dev: lead has no conversation yet: there is nothing to fork",
  ]);
  expect(plan(lost, factsOf(lost)).steps[1]!.hint).toBe("fix lead first, then: hivemind up lead dev");
});

describe("an agent without a pane here", () => {
  const file = fileOf(agent("lead"), agent("dev"));
  const away = agentRow("web:0.5", "lead");
  const elsewhere = { ...away, seat: { server: { ...madeServer, pid: 11 }, pane: "%5" as PaneId } };

  test("comes back as itself if it is away", () => {
    const { steps } = plan(file, factsOf(file, [], [], {}, [away]));
    expect(steps).toMatchObject([
      { do: "add", agent: "lead", agentId: away.id, pane: null },
      { do: "add", agent: "dev", agentId: null },
    ]);
  });

  test("is left alone on another tmux server, and no agent of its team is started here", () => {
    const { steps } = plan(file, factsOf(file, [], [], {}, [elsewhere]));
    const why = "runs on another tmux server, in web:0.5";
    expect(steps).toMatchObject([
      { do: "keep", agent: "lead", start: null, remarks: [why] },
      { do: "refuse", agent: "dev", start: null, why: "web runs on another tmux server" },
    ]);
  });

  test("is left alone too if others of its team run here", () => {
    const facts = factsOf(file, [seated(0, agent("dev"), dev)], [], {}, [elsewhere]);
    expect(plan(file, facts).steps.map((step) => step.do)).toEqual(["keep", "keep"]);
    const third = fileOf(...file.agents, agent("third"));
    const now = factsOf(third, [seated(0, agent("dev"), dev)], [], {}, [elsewhere]);
    expect(plan(third, now).steps.map((step) => step.do)).toEqual(["keep", "keep", "add"]);
  });
});
