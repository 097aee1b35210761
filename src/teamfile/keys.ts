// The keys of a team file, as data: the reader, the editors' schema and the documentation are made from this table.

import { paneKinds } from "../names/kind.js";
import { type Form, forms } from "./forms.js";
import { teamLayouts } from "./team-file.js";

/** Where a key is allowed: at the top, under `defaults`, or under an agent. */
export type KeyPlace = "top" | "defaults" | "agent";

export type Shape =
  | { is: "text"; form: Form }
  | { is: "choice"; choices: readonly string[] }
  | { is: "flag" }
  | { is: "list"; of: Form }
  /** `special` values have their own form. */
  | { is: "mapping"; names: Form; values: Form; special: Readonly<Record<string, Form>> }
  /** Settings of agents: `defaults` once, `agents` one mapping per agent. */
  | { is: "defaults" }
  | { is: "agents" };

export interface Key {
  name: string;
  places: readonly KeyPlace[];
  shape: Shape;
  /** One line for people. */
  about: string;
  /** The default; null if the key is required. */
  standard: string | null;
  example: string;
  /** About a conversation, which a shell has not: refused for a shell, and ignored there in the defaults. */
  isOfConversation?: boolean;
  /** Names that other tools use for it. */
  alsoCalled?: readonly string[];
}

const everywhere: readonly KeyPlace[] = ["defaults", "agent"];
const text = (form: Form): Shape => ({ is: "text", form });
const choice = (...choices: readonly string[]): Shape => ({ is: "choice", choices });

export const keys: readonly Key[] = [
  {
    name: "project",
    places: ["top"],
    shape: text(forms.project),
    about: "the project's id: the ids of all conversations are derived from it",
    standard: null,
    example: "web4",
    alsoCalled: ["name", "id"],
  },
  {
    name: "session",
    places: ["top"],
    shape: text(forms.team),
    about: "the tmux session the team runs in",
    standard: "the project's id",
    example: "web4team",
    alsoCalled: ["team", "tmux"],
  },
  {
    name: "layout",
    places: ["top"],
    shape: choice(...teamLayouts),
    about: "how tmux arranges the panes; `windows` gives each agent its own window",
    standard: "tiled",
    example: "main-vertical",
  },
  {
    name: "running",
    places: ["top"],
    shape: choice("leave", "adopt"),
    about:
      "what `up` does with a running agent of the team that has a name of this file: `adopt` takes it over with its conversation, `leave` refuses",
    standard: "leave",
    example: "adopt",
  },
  {
    name: "defaults",
    places: ["top"],
    shape: { is: "defaults" },
    about: "settings for all agents; an agent's own settings replace them, `env` variable by variable",
    standard: "none",
    example: "{ model: opus }",
  },
  {
    name: "agents",
    places: ["top"],
    shape: { is: "agents" },
    about: "the agents: each id with its settings, which may be empty; panes are made in this order",
    standard: null,
    example: "{ lead: { model: opus } }",
  },
  {
    name: "kind",
    places: everywhere,
    shape: choice(...paneKinds),
    about: "what runs in the pane",
    standard: "claude",
    example: "shell",
    alsoCalled: ["runtime", "type"],
  },
  {
    name: "model",
    places: everywhere,
    shape: text(forms.text),
    about: "the model it starts with",
    standard: "the client's own choice",
    example: "opus",
    isOfConversation: true,
  },
  {
    name: "cwd",
    places: everywhere,
    shape: text(forms.path),
    about: "the folder it works in, relative to the file; `~` is your home folder",
    standard: "the file's folder",
    example: "services/api",
    alsoCalled: ["folder", "dir", "directory", "workdir"],
  },
  {
    name: "prompt",
    places: everywhere,
    shape: text(forms.path),
    about: "a file with its first message, sent to a new conversation and not when one is resumed",
    standard: "none",
    example: "roles/lead.md",
    isOfConversation: true,
    alsoCalled: ["role_prompt"],
  },
  {
    name: "permission_mode",
    places: everywhere,
    shape: text(forms.mode),
    about: "the client's --permission-mode: `plan`, `acceptEdits`, `auto` and so on",
    standard: "the client's own choice",
    example: "plan",
    isOfConversation: true,
  },
  {
    name: "inbound",
    places: everywhere,
    shape: choice("hold", "accept"),
    about:
      "other agents' messages to a client that bypasses permissions: `hold` asks you about each in its pane, `accept` takes them",
    standard: "hold",
    example: "accept",
    isOfConversation: true,
  },
  {
    name: "mcp",
    places: everywhere,
    shape: { is: "flag" },
    about: "hivemind's own tools for the agent, which it may call without asking: docs/mcp.md lists them",
    standard: "false",
    example: "true",
    isOfConversation: true,
    alsoCalled: ["tools"],
  },
  {
    name: "args",
    places: everywhere,
    shape: { is: "list", of: forms.argument },
    about: "more arguments for the client",
    standard: "none",
    example: '["--add-dir", "../shared"]',
    isOfConversation: true,
  },
  {
    name: "env",
    places: everywhere,
    shape: {
      is: "mapping",
      names: forms.variable,
      values: forms.value,
      special: { CLAUDE_CONFIG_DIR: forms.account },
    },
    about: "environment variables; values are text, so put numbers in quotes",
    standard: "none",
    example: '{ PORT: "8080" }',
    alsoCalled: ["environment"],
  },
  {
    name: "fork",
    places: ["agent"],
    shape: text(forms.role),
    about:
      "another agent of this file, in the same folder: its first conversation starts as a fork of that agent's",
    standard: "it starts with an empty conversation",
    example: "lead",
    isOfConversation: true,
  },
  {
    name: "worktree",
    places: ["agent"],
    shape: text(forms.branch),
    about: "a branch: it works in its own git worktree of that branch; `cwd` must be in the repository",
    standard: "it works in `cwd` itself",
    example: "feature/login",
    alsoCalled: ["branch"],
  },
  {
    name: "start",
    places: everywhere,
    shape: choice("resume", "fresh"),
    about: "`resume` continues its conversation, `fresh` starts a new one at each start",
    standard: "resume",
    example: "fresh",
    isOfConversation: true,
  },
  {
    name: "restart",
    places: everywhere,
    shape: choice("never", "on-crash"),
    about: "`on-crash`: `hivemind watch` restarts it after a failure",
    standard: "never",
    example: "on-crash",
  },
  {
    name: "reports_to",
    places: everywhere,
    shape: text(forms.role),
    about: "another agent of this file, shown to people",
    standard: "none",
    example: "lead",
  },
];

export function keysAt(place: KeyPlace): Key[] {
  return keys.filter(({ places }) => places.includes(place));
}

/** Where the key is allowed, for people. */
export function placesOf({ places }: Key): string {
  const words = { top: "at the top", defaults: "defaults", agent: "agent" };
  return places.map((place) => words[place]).join(", ");
}

/** Its possible values, if there are few. */
export function valuesOf({ shape }: Key): string | null {
  if (shape.is === "flag") return "true, false";
  return shape.is === "choice" ? shape.choices.join(", ") : null;
}
