// The forms a value may have, each a pattern: the reader and the schema for editors ask the same one.

import { limits } from "../limits.js";
import { rules } from "../names/gates.js";

export interface Form {
  /** In words, behind what was refused. */
  rule: string;
  /** As JSON schema wants it: for a regular expression with the flag u. */
  pattern: string;
  longest: number;
}

/** What a terminal or a row would not take as text. */
const control = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029";

export const forms = {
  project: { rule: rules.project, pattern: "^[A-Za-z0-9._-]+$", longest: limits.projectLength },
  team: { rule: rules.team, pattern: "^[A-Za-z0-9_][A-Za-z0-9_-]*$", longest: limits.teamNameLength },
  role: { rule: rules.role, pattern: "^[A-Za-z][A-Za-z0-9._-]*$", longest: limits.roleLength },
  /** A leading dash would make an option of it. */
  text: {
    rule: "it is one line without | and control characters, and does not start with -",
    pattern: `^(?!-)[^|${control}]+$`,
    longest: limits.fieldLength,
  },
  mode: {
    rule: "a permission mode is one word, as the client's --permission-mode takes it",
    pattern: "^[A-Za-z][A-Za-z-]*$",
    longest: limits.roleLength,
  },
  path: {
    rule: "a path has no control characters; `~/` is your home folder, `~name` nobody's",
    pattern: `^(?!~[^/])[^${control}]+$`,
    longest: limits.fieldLength,
  },
  /** What `git check-ref-format --branch` takes. */
  branch: {
    rule: "it is no branch name that git takes",
    pattern:
      "^(?![-/.])(?!(?:@|HEAD)$)(?!.*(?:\\.\\.|//|@\\{|/\\.|\\.lock(?:/|$)))" +
      `[^${control} ~^:?*\\[\\\\]+(?<![/.])$`,
    longest: limits.branchNameLength,
  },
  argument: {
    rule:
      "hivemind gives --session-id, --resume, --continue, --fork-session, --name and their short forms itself; " +
      "--model and --permission-mode have keys of their own; an argument has no control characters",
    pattern:
      "^(?!(?:--session-id|--resume|--continue|--fork-session|--name|--model|--permission-mode)(?:=|$)|--$|-[rcn])" +
      "[^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]*$",
    longest: limits.fieldLength,
  },
  variable: {
    rule: "a variable's name is letters, digits and _, and does not start with a digit; HIVEMIND_… and TMUX… are set by others",
    pattern: "^(?!HIVEMIND_|TMUX)[A-Za-z_][A-Za-z0-9_]*$",
    longest: limits.fieldLength,
  },
  /** Nobody expands it: the client would take `~` for a folder of that name, below the one it works in. */
  account: {
    rule: "it is a folder, from the root on: /home/me/account",
    pattern: `^/[^${control}]*$`,
    longest: limits.fieldLength,
  },
  value: {
    rule: "a value has no control characters",
    pattern: "^[^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]*$",
    longest: limits.fieldLength,
  },
} as const satisfies Record<string, Form>;

export function fits({ pattern, longest }: Form, value: string): boolean {
  // A schema counts characters, not halves of them.
  return [...value].length <= longest && new RegExp(pattern, "u").test(value);
}

/** A tmux session's name for a project, whose id may have dots and begin with a dash. */
export function sessionFor(project: string): string {
  return project.replaceAll(".", "_").replace(/^-/, "_");
}
