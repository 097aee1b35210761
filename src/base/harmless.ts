// Text that others wrote (titles, folders, messages) on its way to a terminal.

/**
 * Control characters made visible and inert: no escape sequence, line break, or bidirectional override
 * that somebody put into a title can move our cursor or reorder what a person reads.
 */
export function harmless(text: string): string {
  return text.replace(/[\u0000-\u001f]/g, picture).replace(obeyed, picture);
}

/** JSON lets through what only some terminals obey; escaped it reads back as the same value. */
export function harmlessJson(json: string): string {
  return json.replace(obeyed, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Beside the control characters that every terminal knows. */
const obeyed = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function picture(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}
