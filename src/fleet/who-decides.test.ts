import { describe, expect, test } from "vitest";
import { type ProcessInfo, processTable } from "../base/system/process.js";
import { limits } from "../limits.js";
import { whoDecides } from "./caller.js";
import type { Panes } from "./panes.js";

type Some = Partial<ProcessInfo> & Pick<ProcessInfo, "pid" | "ppid" | "leader">;

const [here, bare, shared] = ["/dev/pts/1", "/dev/pts/2", "/dev/pts/3"];

/** The agent of %2 is its pane's process; the agent of %3 was started by a person from a shell. */
const around: Some[] = [
  { pid: 90, ppid: 1, leader: 90, command: "systemd" },
  { pid: 100, ppid: 90, leader: 100, command: "tmux: server" },
  { pid: 110, ppid: 100, leader: 110, tty: here, command: "zsh" },
  { pid: 200, ppid: 100, leader: 200, tty: bare, isForeground: true },
  { pid: 210, ppid: 200, leader: 210, command: "a tool" },
  { pid: 300, ppid: 100, leader: 300, tty: shared, command: "zsh" },
  { pid: 310, ppid: 300, leader: 300, tty: shared, isForeground: true, command: "tini" },
  { pid: 320, ppid: 310, leader: 300, tty: shared, isForeground: true },
  { pid: 400, ppid: 1, leader: 400, command: "sshd" },
  { pid: 410, ppid: 400, leader: 410, command: "sh" },
  { pid: 420, ppid: 400, leader: 420, command: "sshd-session" },
  { pid: 430, ppid: 420, leader: 430, command: "sh" },
  { pid: 500, ppid: 90, leader: 500, tty: "/dev/pts/5", command: "zsh" },
  { pid: 510, ppid: 500, leader: 500, tty: "/dev/pts/5", command: "claude" },
  { pid: 600, ppid: 1, leader: 600, command: "cron" },
  { pid: 610, ppid: 600, leader: 610, command: "sh" },
];

function decides(own: Some, others: readonly Some[] = [], isPs = false): string {
  const all = new Map(
    [...around, ...others, own].map((each) => {
      const process = { tty: null, isForeground: false, command: "node", args: [], ...each } as ProcessInfo;
      return [each.pid, isPs ? { ...process, leader: null } : process];
    }),
  );
  const pane = (id: string, tty: string, agent: number | null) => ({
    ...{ id, tty, dead: false },
    process: agent === null ? null : all.get(agent),
  });
  const panes = [pane("%1", here, null), pane("%2", bare, 200), pane("%3", shared, 320)];
  const seen = { server: { pid: 100 }, panes, clients: [] } as unknown as Panes;
  return decided(seen, own.pid, all);
}

function decided(
  seen: Pick<Panes, "server" | "panes" | "clients">,
  pid: number,
  all: ReadonlyMap<number, ProcessInfo>,
): string {
  const found = whoDecides(seen, pid, {
    findProcess: (pid) => all.get(pid) ?? null,
    readTrees: (roots) => processTable(all.values(), roots),
  });
  if (found.kind === "agent") return `agent ${found.pane?.id ?? "elsewhere"}`;
  return found.kind === "person" ? found.from : "nobody";
}

const self = (ppid: number, leader: number, more: Partial<Some> = {}): Some => ({
  pid: 999,
  ppid,
  leader,
  ...more,
});

describe("a command of an agent", () => {
  test.each<[string, Some, string]>([
    ["[CAL3] its tool", self(210, 210), "agent %2"],
    ["[CAL3] its tool with the terminal", self(200, 200, { tty: bare }), "agent %2"],
    ["[CAL3] setsid", self(210, 999), "agent %2"],
    ["[CAL3] an orphan that has the leader of the tool", self(1, 210), "agent %2"],
    ["[CAL3] an orphan that has the agent as leader", self(1, 200, { tty: bare }), "agent %2"],
    ["[CAL3] the same below a subreaper", self(90, 200, { tty: bare }), "agent %2"],
    ["[CAL3] an agent without a registry file, in no pane", self(510, 999), "agent elsewhere"],
    ["[CAL4] an orphan with a leader of its own", self(1, 999), "nobody"],
    ["[CAL4] an orphan whose leader has ended", self(1, 998), "nobody"],
    ["[CAL4] the same with a terminal", self(1, 998, { tty: bare }), "nobody"],
    [
      "[CAL4] an orphan of an agent that a person started",
      self(1, 300, { tty: shared, isForeground: true }),
      "nobody",
    ],
    ["[CAL4] the same below a subreaper", self(90, 300, { tty: shared, isForeground: true }), "nobody"],
    [
      "[CAL5] the same below a subreaper at the terminal",
      self(310, 300, { tty: shared, isForeground: true }),
      "nobody",
    ],
  ])("%s", (_, own, expected) => expect(decides(own)).toBe(expected));

  test("[CAL4] more parents than are followed show nobody", () => {
    const layers = Array.from({ length: limits.ancestors }, (_, at): Some => {
      const pid = 1000 + at;
      return { pid, ppid: at === 0 ? 510 : pid - 1, leader: pid, tty: here };
    });
    expect(decides(self(layers.at(-1)!.pid, 999, { tty: here, isForeground: true }), layers)).toBe("nobody");
  });
});

describe("a command of a person", () => {
  const stopped: Some[] = around.filter(({ pid }) => pid >= 310 && pid < 400);
  test.each<[string, Some, string]>([
    ["[CAL4] in a pane", self(110, 110, { tty: here, isForeground: true }), "/dev/pts/1 %1"],
    ["[CAL4] in the background of a pane without an agent", self(110, 110, { tty: here }), "/dev/pts/1 %1"],
    ["[CAL4] as the pane's own process", self(100, 999, { tty: here }), "/dev/pts/1 %1"],
    ["[CAL4] in a popup or another terminal", self(100, 999, { tty: "/dev/pts/9" }), "/dev/pts/9"],
    ["[CAL4] by a key binding of tmux", self(100, 100), "tmux"],
    ["[CAL4] by ssh without a terminal", self(410, 410), "ssh"],
    ["[CAL4] by a newer ssh", self(430, 430), "ssh"],
    ["[CAL4] as ssh's own command", self(400, 999), "ssh"],
    ["[CAL4] by cron there is none", self(610, 610), "nobody"],
    ["[CAL4] in a pane, without the terminal, there is none", self(110, 999), "nobody"],
  ])("%s", (_, own, expected) => expect(decides(own)).toBe(expected));

  test.each<[string, Some, string]>([
    ["[CAL5] beside a stopped agent", self(300, 300, { tty: shared, isForeground: true }), "/dev/pts/3 %3"],
    ["[CAL5] in the background beside it there is none", self(300, 300, { tty: shared }), "nobody"],
  ])("%s", (_, own, expected) =>
    expect(
      decides(
        own,
        stopped.map((each) => ({ ...each, isForeground: false })),
      ),
    ).toBe(expected),
  );
});

describe("where ps does not show leaders", () => {
  test.each<[string, Some, string]>([
    ["[CAL3] a tool", self(210, 210), "agent %2"],
    ["[CAL4] a person in a pane", self(110, 110, { tty: here, isForeground: true }), "/dev/pts/1 %1"],
    ["[CAL4] a pane's own process", self(100, 999, { tty: here }), "/dev/pts/1 %1"],
    ["[CAL4] a key binding", self(100, 100), "tmux"],
    ["[CAL4] ssh", self(410, 410), "ssh"],
    ["[CAL4] an orphan", self(1, 999), "nobody"],
    ["[CAL4] an orphan with the terminal", self(1, 300, { tty: here, isForeground: true }), "nobody"],
    ["[CAL4] a pane's process without the terminal", self(110, 999), "nobody"],
  ])("%s", (_, own, expected) => expect(decides(own, [], true)).toBe(expected));

  test("[CAL4] a shell between the orphan and process 1", () => {
    const layer = { pid: 998, ppid: 1, leader: 300, tty: here };
    expect(decides(self(998, 300, { tty: here }), [layer], true)).toBe("nobody");
  });
});

describe("in a pid namespace of its own", () => {
  const tty = "/dev/pts/0";
  const at = { tty, command: "bash" };
  const front = { tty, isForeground: true };

  /** These processes, and nothing else: a namespace shows no other. */
  function inside(own: Some, ...others: Some[]): string {
    const all = new Map(
      [...others, own].map((each) => [
        each.pid,
        { tty: null, isForeground: false, command: "node", args: [], ...each } as ProcessInfo,
      ]),
    );
    return decided({ server: null, panes: [], clients: [] }, own.pid, all);
  }

  /** `docker run -it`: the shell is process 1, and the leader. */
  const shell: Some = { ...at, pid: 1, ppid: 0, leader: 1 };
  /** `unshare -pf --mount-proc`: its leader is outside. */
  const unshared: Some = { ...at, pid: 1, ppid: 0, leader: 0 };
  /** `docker run --init`: the shell is below a small init at the terminal. */
  const init: Some = { ...at, pid: 1, ppid: 0, leader: 1, command: "tini" };
  const belowInit: Some = { ...at, pid: 7, ppid: 1, leader: 1 };
  /** `docker run … sleep infinity`, then `nsenter`: a second process without a parent. */
  const sleeper: Some = { pid: 1, ppid: 0, leader: 1, command: "sleep" };
  const entered: Some = { ...at, pid: 50, ppid: 0, leader: 0 };
  const agent = (more: Partial<Some> = {}): Some => ({
    ...{ pid: 300, ppid: 1, leader: 1, tty, isForeground: true, command: "claude" },
    ...more,
  });
  const stopped = { isForeground: false, isStopped: true } as const;
  const reaper: Some = { pid: 200, ppid: 1, leader: 200, command: "systemd" };

  test.each<[string, string, Some, Some[]]>([
    ["[CAL6] in the shell that is process 1", tty, self(1, 1, front), [shell]],
    ["[CAL6] in a group of its own", tty, self(1, 1, { ...front, group: 999 }), [shell]],
    [
      "[CAL6] an orphan in the foreground group of another",
      "nobody",
      self(1, 1, { ...front, group: 77 }),
      [shell],
    ],
    ["[CAL6] as process 1 itself", tty, { ...shell, isForeground: true, command: "node" }, []],
    ["[CAL6] in the shell below a small init", tty, self(7, 1, front), [init, belowInit]],
    ["[CAL6] beside an agent that is stopped", tty, self(1, 1, front), [shell, agent(stopped)]],
    ["[CAL6] in the background there is none", "nobody", self(1, 1, { tty }), [shell]],
    ["[CAL6] in the background below a small init", "nobody", self(7, 1, { tty }), [init, belowInit]],
    ["[CAL6] beside an agent that runs", "nobody", self(1, 1, front), [shell, agent()]],
    [
      "[CAL6] beside an agent whose terminal another job took",
      "nobody",
      self(1, 1, front),
      [shell, agent({ isForeground: false })],
    ],
    [
      "[CAL6] beside an agent that runs in a shell of its own",
      "nobody",
      self(1, 1, front),
      [shell, { ...at, pid: 290, ppid: 1, leader: 1 }, agent({ ppid: 290 })],
    ],
    ["[CAL6] an orphan of a session of its own", "nobody", self(1, 998, front), [shell]],
    ["[CAL6] an orphan whose leader is a shell beside it", "nobody", self(1, 7, front), [shell, belowInit]],
    ["[CAL6] an orphan below a subreaper", "nobody", self(200, 1, front), [shell, reaper]],
    [
      "[CAL3] a child of an agent that is process 1",
      "agent elsewhere",
      self(1, 1),
      [agent({ pid: 1, ppid: 0 })],
    ],
    [
      "[CAL3] an orphan that an agent adopted as process 1",
      "agent elsewhere",
      self(1, 998, front),
      [agent({ pid: 1, ppid: 0 })],
    ],
    ["[CAL3] a tool of an agent below process 1", "agent elsewhere", self(300, 1, front), [shell, agent()]],
    ["[CAL7] in an unshared shell", tty, self(1, 0, front), [unshared]],
    ["[CAL7] in a shell that entered", tty, self(50, 0, front), [sleeper, entered]],
    ["[CAL7] in the background there is none", "nobody", self(1, 0, { tty }), [unshared]],
    ["[CAL7] in the background of a shell that entered", "nobody", self(50, 0, { tty }), [sleeper, entered]],
    ["[CAL7] beside an agent that runs", "nobody", self(1, 0, front), [unshared, agent({ leader: 0 })]],
    [
      "[CAL7] beside an agent that is stopped",
      tty,
      self(1, 0, front),
      [unshared, agent({ ...stopped, leader: 0 })],
    ],
    ["[CAL7] an orphan that process 1 adopted elsewhere", "nobody", self(1, 0, front), [sleeper, entered]],
    ["[CAL7] an orphan whose parent is missing", "nobody", self(60, 0, front), [sleeper, entered]],
    ["[CAL7] without a terminal", "nobody", self(1, 0), [{ ...unshared, tty: null }]],
    ["[CAL8] an orphan of process 1 that is sshd", "nobody", self(1, 999), [{ ...sleeper, command: "sshd" }]],
    [
      "[CAL8] an orphan in the session of a tmux server that is process 1",
      "nobody",
      self(1, 1),
      [{ ...sleeper, command: "tmux: server" }],
    ],
    [
      "[CAL4] a pane of a tmux server below process 1",
      tty,
      self(120, 120, front),
      [
        shell,
        { pid: 100, ppid: 1, leader: 100, command: "tmux: server" },
        { ...at, pid: 120, ppid: 100, leader: 120 },
      ],
    ],
    [
      "[CAL4] an orphan of that pane",
      "nobody",
      self(1, 120, front),
      [
        shell,
        { pid: 100, ppid: 1, leader: 100, command: "tmux: server" },
        { ...at, pid: 120, ppid: 100, leader: 120 },
      ],
    ],
  ])("%s: %s", (_, expected, own, others) => expect(inside(own, ...others)).toBe(expected));
});
