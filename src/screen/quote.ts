// Text on its way into screen, so that it arrives as it is.
//
// [GSQ1] Nothing in a title is expanded: neither `$VARIABLE` nor `^A` nor `\033`, which screen would put in.

/** For every argument of a screen command. `%` is screen's own only in the strings of its status lines. */
export function argument(text: string): string {
  return text.replace(/[\\^$]/g, "\\$&");
}
