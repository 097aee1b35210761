// What an agent's input box shows, and what is typed into it.

/** The pane around an input box. */
export interface BoxSize {
  columns: number;
  rows: number;
}

/** The client itself runs a command; any other text goes to its model. */
export interface ShapedText {
  text: string;
  isCommand: boolean;
}

export type Shaped = ShapedText | { refused: string };

/** `none`: no box is visible, so nothing may be typed. */
export type Box =
  | { kind: "empty" }
  | { kind: "suggestion"; text: string }
  | Draft
  | Dialog
  | { kind: "none" };

export interface Draft {
  kind: "draft";
  text: string;
  /** For a slash command: whether the client marks its name as known. Absent if it marks nothing. */
  isKnownCommand?: boolean;
}

export interface Dialog {
  kind: "dialog";
  question: string | null;
  options: DialogOption[];
  /** The visible rows of the dialog. */
  rows?: readonly string[];
  /** Absent for an unknown dialog. */
  known?: KnownDialog;
}

export interface KnownDialog {
  /** The words after "asks": "whether you trust /srv/x". */
  asks: string;
  /** Escape closes it and the agent keeps running. In any other dialog Escape may end the agent. */
  isClosedByEscape: boolean;
}

export interface DialogOption {
  /** The number before the option. In a list without numbers: its position; 0 for a button below the list. */
  number: number;
  label: string;
  /** Enter would choose this option. */
  isAtCursor: boolean;
  /** A text field with the text cursor in it: a key would be typed into it. */
  isTextField?: boolean;
}
