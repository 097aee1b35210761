// The client's pane title: a sign, a state, and the folder's name. It names no session.
//
// The title is a hint only: it says Ready in some dialogs, and Working while the client asks about a quota.

export type TitleState = "ready" | "working" | "asks";

const forms: readonly { state: TitleState; form: RegExp }[] = [
  { state: "ready", form: /^◇ {1,2}Ready \(.*\)\s*$/u },
  { state: "working", form: /^[✦⏲] {1,2}Working… \(.*\)\s*$/u },
  { state: "asks", form: /^✋ {1,2}Action Required \(.*\)\s*$/u },
];

/** Null for a title of another program, or one that a setting changed. */
export function stateInTitle(title: string): TitleState | null {
  return forms.find(({ form }) => form.test(title))?.state ?? null;
}
