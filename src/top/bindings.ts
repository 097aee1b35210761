// The keys of `top`, as data: the help page, the line at the bottom and the actions are made from this list.

export type ActionName =
  | "up"
  | "down"
  | "page-up"
  | "page-down"
  | "first"
  | "last"
  | "fold"
  | "unfold"
  | "mark"
  | "unmark"
  | "go"
  | "send"
  | "edit"
  | "approve"
  | "always"
  | "reject"
  | "answer"
  | "fork"
  | "rename"
  | "restart"
  | "kill"
  | "hold"
  | "release"
  | "save"
  | "restore"
  | "watch"
  | "filter"
  | "order"
  | "next-tab"
  | "tab"
  | "scroll-up"
  | "scroll-down"
  | "command"
  | "help"
  | "quit"
  | "back";

export interface Binding {
  action: ActionName;
  /** As the terminal names them; the first one is shown. `C-` is Ctrl. */
  keys: readonly [string, ...string[]];
  about: string;
  /** For the line at the bottom; absent if only the help page shows it. */
  short?: string;
}

export interface Section {
  title: string;
  bindings: readonly Binding[];
}

export const sections: readonly Section[] = [
  {
    title: "Answer",
    bindings: [
      {
        action: "approve",
        keys: ["a"],
        about: "approve its request; shows the command and asks",
        short: "approve",
      },
      {
        action: "reject",
        keys: ["r"],
        about: "reject its request, with a reason if you like",
        short: "reject",
      },
      { action: "answer", keys: ["n"], about: "answer its question by number or in words", short: "answer" },
      { action: "always", keys: ["A"], about: "approve, and add the rule that its client suggests" },
    ],
  },
  {
    title: "Talk",
    bindings: [
      { action: "send", keys: ["s"], about: "send it a message", short: "send" },
      { action: "edit", keys: ["e"], about: "write the message in $EDITOR" },
      { action: "hold", keys: ["h"], about: "hold its messages: they wait in the queue" },
      { action: "release", keys: ["H"], about: "deliver its messages again" },
    ],
  },
  {
    title: "Run",
    bindings: [
      { action: "go", keys: ["enter", "g"], about: "go to its pane", short: "go" },
      { action: "fork", keys: ["f"], about: "fork it under a new role" },
      { action: "rename", keys: ["m"], about: "give it another role" },
      { action: "restart", keys: ["R"], about: "restart it in its conversation" },
      { action: "kill", keys: ["K", "delete"], about: "end it; asks first" },
      { action: "save", keys: ["S"], about: "save all teams" },
      { action: "restore", keys: ["B"], about: "bring saved teams back; asks first" },
      { action: "watch", keys: ["w"], about: "start the watcher in the background" },
      {
        action: "command",
        keys: [":"],
        about: "type any command of hivemind; Tab completes",
        short: "command",
      },
    ],
  },
  {
    title: "Look",
    bindings: [
      { action: "next-tab", keys: ["tab"], about: "the next view of the chosen agent", short: "view" },
      {
        action: "tab",
        keys: ["1", "2", "3", "4", "5", "6"],
        about: "pane, request, evidence, lineage, messages, history",
      },
      {
        action: "filter",
        keys: ["/"],
        about: "show only rows with this text; Escape ends it",
        short: "filter",
      },
      { action: "order", keys: ["o"], about: "order: waiting first, as in tmux, by context, by name" },
      {
        action: "mark",
        keys: ["space"],
        about: "mark it; the next action is for all marked ones",
        short: "mark",
      },
      { action: "unmark", keys: ["u"], about: "remove all marks" },
      { action: "fold", keys: ["left"], about: "fold its team" },
      { action: "unfold", keys: ["right"], about: "unfold its team" },
      { action: "scroll-up", keys: ["[", "C-u"], about: "scroll the right side up" },
      { action: "scroll-down", keys: ["]", "C-d"], about: "scroll the right side down" },
    ],
  },
  {
    title: "Move",
    bindings: [
      { action: "up", keys: ["up", "k"], about: "one row up; also the mouse wheel" },
      { action: "down", keys: ["down", "j"], about: "one row down; a click chooses a row" },
      { action: "page-up", keys: ["pageup"], about: "a page up" },
      { action: "page-down", keys: ["pagedown"], about: "a page down" },
      { action: "first", keys: ["home"], about: "the first row" },
      { action: "last", keys: ["end", "G"], about: "the last row" },
      { action: "help", keys: ["?"], about: "this page", short: "help" },
      { action: "back", keys: ["escape"], about: "back: ends a question, a filter, this page" },
      { action: "quit", keys: ["q", "C-c"], about: "leave top; Ctrl-Z suspends it", short: "quit" },
    ],
  },
];

export const bindings: readonly Binding[] = sections.flatMap((section) => section.bindings);

const byKey = new Map(bindings.flatMap(({ action, keys }) => keys.map((key) => [key, action] as const)));

export function actionFor(key: string): ActionName | null {
  return byKey.get(key) ?? null;
}

/** `enter` as people read it. */
export function keyLabel(key: string): string {
  const names: Record<string, string> = {
    ...{ enter: "Enter", escape: "Esc", tab: "Tab", space: "Space", delete: "Del" },
    ...{
      up: "↑",
      down: "↓",
      left: "←",
      right: "→",
      pageup: "PgUp",
      pagedown: "PgDn",
      home: "Home",
      end: "End",
    },
  };
  return names[key] ?? key.replace(/^C-(.)$/, (_, letter: string) => `Ctrl-${letter.toUpperCase()}`);
}
