// What is known of every command before its code loads: its words, and its line of the help page. The build writes
// this list out (scripts/command-table.mjs), so a run loads the code of the typed command only.
//
// [CT1] A row says exactly what its command says, and `load` gives that command.

import { allOptions, type Command, type Option } from "./command.js";
import { defaultCommand, sections } from "./commands.js";

export interface CommandRow extends Pick<Command, "words" | "also" | "about" | "args"> {
  /** The heading of the help page under which it is listed. */
  section: string;
  load(): Promise<Command>;
}

export const rows: readonly CommandRow[] = sections.flatMap(({ title, commands }) =>
  commands.map((command) => {
    const { words, also, about, args } = command;
    return {
      words,
      ...(also && { also }),
      about,
      ...(args && { args }),
      section: title,
      load: async () => command,
    };
  }),
);

/** What `hivemind` alone does. */
export const defaultRow: { options: readonly Option[]; load(): Promise<Command> } = {
  options: allOptions(defaultCommand),
  load: async () => defaultCommand,
};
