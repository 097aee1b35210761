// The first words of commands that have two words.

/** Words that stand before others. */
export const groups: Readonly<Record<string, string>> = {
  team: "teams: set up, register, rename, restart, migrate",
  agent: "agents: spawn, fork, restart, rename, kill",
  pane: "panes: ask tmux about one, swap two, move one",
  layout: "save and rebuild the windows and panes of a team",
  monitor: "the viewer: all teams in one terminal, read-only",
  size: "the smallest size of a team's windows",
  registry: "which pane has which role and session",
  consistency: "compare the stores with tmux, and repair them",
  sessions: "the conversations of this folder, newest first",
  snapshots: "list and prune the saved teams",
  queue: "messages that wait for an agent",
  forks: "the recorded parents of sessions",
  hooks: "reports from the client itself (optional)",
  serve: "the fleet in a browser, on this host",
  fleet: "one fleet over many hosts (optional)",
  mcp: "hivemind's tools for agents, as an MCP server (optional)",
  watch: "deliver messages, save the teams, warn you",
  tmux: "the fleet in tmux's own status line, on a key and on borders (optional)",
};

/** The first words of other spellings (`also`). They work, and no list shows them. */
export const oldGroups: Readonly<Record<string, string>> = {
  teams: "save and restore teams: the same as save, restore and snapshots",
  session: "the session of a pane: the same as sessions current, discover, state and probe",
};
