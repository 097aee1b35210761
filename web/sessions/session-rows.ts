// The sessions of the list: their shape, and which of them a filter means. Pure.

import type { sessionJson } from "../../src/cli/sessions/session-json.js";

export type Session = ReturnType<typeof sessionJson>;

export interface SessionsAnswer {
  sessions: readonly Session[];
}

/** What `/sessions/search` found. */
export interface SearchAnswer {
  ended: "enough" | "interrupted" | null;
  searched: { sessions: number; of: number };
  sessions: readonly FoundSession[];
}

export interface FoundSession {
  id: string;
  title: string | null;
  cwd: string | null;
  updatedAt: string | null;
  isCut: boolean;
  hits: readonly {
    role: string;
    kind: string;
    before: string;
    match: string;
    after: string;
    at: string | null;
  }[];
}

/** Those with every word in their title, folder, branch, pane, model or id. */
export function sessionsMeant(sessions: readonly Session[], typed: string): Session[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter(({ id, title, cwd, gitBranch, pane, model, lifecycle }) => {
    const text = [id, title, cwd, gitBranch, pane, model, lifecycle].join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The last two parts of a folder: enough to know it. */
export function shortFolder(folder: string): string {
  const parts = folder.split("/").filter(Boolean);
  return parts.length <= 2 ? folder : `…/${parts.slice(-2).join("/")}`;
}

export function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
