// The forms that a value may have, each as a pattern. The reader and the editors' schema share them.

import { limits } from "../limits.js";
import { rules } from "../names/gates.js";

export interface Form {
  /** For people; follows the refused value. */
  rule: string;
  /** As in a JSON schema: a regular expression with the flag u. */
  pattern: string;
  longest: number;
}

/** Characters that a terminal or a row would not take as text. */
const control = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029";

export const forms = {
  project: { rule: rules.project, pattern: "^[A-Za-z0-9._-]+$", longest: limits.projectLength },
  team: { rule: rules.team, pattern: "^[A-Za-z0-9_][A-Za-z0-9_-]*$", longest: limits.teamNameLength },
  role: { rule: rules.role, pattern: "^[A-Za-z][A-Za-z0-9._-]*$", longest: limits.roleLength },
  /** A leading dash would turn it into an option. */
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
    rule: "a path has no control characters; `~/` is your home folder, `~name` is not supported",
    pattern: `^(?!~[^/])[^${control}]+$`,
    longest: limits.fieldLength,
  },
  /** What `git check-ref-format --branch` accepts. */
  branch: {
    rule: "git does not accept it as a branch name",
    pattern:
      "^(?![-/.])(?!(?:@|HEAD)$)(?!.*(?:\\.\\.|//|@\\{|/\\.|\\.lock(?:/|$)))" +
      `[^${control} ~^:?*\\[\\\\]+(?<![/.])$`,
    longest: limits.branchNameLength,
  },
  argument: {
    rule:
      "hivemind gives --session-id, --resume, --continue, --fork-session, --name and their short forms itself; " +
      "--model and --permission-mode have their own keys; an argument has no control characters",
    pattern:
      "^(?!(?:--session-id|--resume|--continue|--fork-session|--name|--model|--permission-mode)(?:=|$)|--$|-[rcn])" +
      "[^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]*$",
    longest: limits.fieldLength,
  },
  variable: {
    rule: "a variable's name is letters, digits and _, and does not start with a digit; HIVEMIND_… and TMUX… are reserved",
    pattern: "^(?!HIVEMIND_|TMUX)[A-Za-z_][A-Za-z0-9_]*$",
    longest: limits.fieldLength,
  },
  /** No shell expands it: the client would take `~` for a folder of that name, below its working folder. */
  account: {
    rule: "it must be an absolute path, such as /home/me/account",
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
  // A schema counts characters, not UTF-16 halves.
  return [...value].length <= longest && new RegExp(pattern, "u").test(value);
}

/** A tmux session name for a project, whose id may have dots and start with a dash. */
export function sessionFor(project: string): string {
  return project.replaceAll(".", "_").replace(/^-/, "_");
}
