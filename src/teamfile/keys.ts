// The keys of a team file, as data: the reader, the schema for editors and the page for people are made of this table.

import { type Form, forms } from "./forms.js";
import { teamLayouts } from "./team-file.js";

/** Where a key may stand: at the top, under `defaults`, or under an agent. */
export type KeyPlace = "top" | "defaults" | "agent";

export type Shape =
  | { is: "text"; form: Form }
  | { is: "choice"; choices: readonly string[] }
  | { is: "list"; of: Form }
  /** `special` values have a form of their own. */
  | { is: "mapping"; names: Form; values: Form; special: Readonly<Record<string, Form>> }
  /** Settings of agents: `defaults` once, `agents` one mapping an agent. */
  | { is: "defaults" }
  | { is: "agents" };

export interface Key {
  name: string;
  places: readonly KeyPlace[];
  shape: Shape;
  /** One line for people. */
  about: string;
  /** What holds without it; null where it must stand. */
  standard: string | null;
  example: string;
  /** A shell has no conversation: what is about one is refused there, and left out of the defaults. */
  isOfConversation?: boolean;
  /** What others call it. */
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
    about: "the project's id: each agent's conversation is named by it for ever",
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
    about: "how tmux arranges the panes; `windows` gives each agent a window of its own",
    standard: "tiled",
    example: "main-vertical",
  },
  {
    name: "running",
    places: ["top"],
    shape: choice("leave", "adopt"),
    about:
      "what `up` does with an agent that runs in the team under a name of this file: `adopt` takes it over in its conversation, `leave` refuses",
    standard: "leave",
    example: "adopt",
  },
  {
    name: "defaults",
    places: ["top"],
    shape: { is: "defaults" },
    about:
      "settings of every agent that does not say otherwise; `env` is joined name by name, the rest replaced",
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
    shape: choice("claude", "demo", "shell"),
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
    about: "the folder it works in, from the file's own; `~` is your home folder",
    standard: "the file's folder",
    example: "services/api",
    alsoCalled: ["folder", "dir", "directory", "workdir"],
  },
  {
    name: "prompt",
    places: everywhere,
    shape: text(forms.path),
    about: "a file with what it is told first: when its conversation begins, not when it is resumed",
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
    name: "args",
    places: everywhere,
    shape: { is: "list", of: forms.argument },
    about: "more arguments for the client, one a line",
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
    about: "environment variables; values are text, so numbers stand in quotes",
    standard: "none",
    example: '{ PORT: "8080" }',
    alsoCalled: ["environment"],
  },
  {
    name: "fork",
    places: ["agent"],
    shape: text(forms.role),
    about:
      "another agent of this file, in the same folder: its first conversation begins as a fork of that one's",
    standard: "it begins with nothing said",
    example: "lead",
    isOfConversation: true,
  },
  {
    name: "worktree",
    places: ["agent"],
    shape: text(forms.branch),
    about: "a branch: it works in a git worktree of its own for it, and `cwd` lies in the repository",
    standard: "it works in `cwd` itself",
    example: "feature/login",
    alsoCalled: ["branch"],
  },
  {
    name: "start",
    places: everywhere,
    shape: choice("resume", "fresh"),
    about: "`resume` goes on with its conversation, `fresh` begins a new one at each start",
    standard: "resume",
    example: "fresh",
    isOfConversation: true,
  },
  {
    name: "restart",
    places: everywhere,
    shape: choice("never", "on-crash"),
    about: "`on-crash`: `hivemind watch` brings it back when it ended with a failure",
    standard: "never",
    example: "on-crash",
  },
  {
    name: "reports_to",
    places: everywhere,
    shape: text(forms.role),
    about: "another agent of this file, for people to see",
    standard: "nobody",
    example: "lead",
  },
];

export function keysAt(place: KeyPlace): Key[] {
  return keys.filter(({ places }) => places.includes(place));
}

/** In words: where it may stand. */
export function placesOf({ places }: Key): string {
  const words = { top: "at the top", defaults: "defaults", agent: "agent" };
  return places.map((place) => words[place]).join(", ");
}

/** The values it may have, where they are few. */
export function valuesOf({ shape }: Key): string | null {
  return shape.is === "choice" ? shape.choices.join(", ") : null;
}
