// Makes foreign text (titles, folders, messages) safe for a terminal.

/**
 * Makes control characters visible and inert: no escape sequence, line break or bidirectional override in a title
 * can move our cursor or reorder what the user reads.
 */
export function harmless(text: string): string {
  // Most text is plain, and a screen full of it is checked again and again.
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return text.replace(/[\u0000-\u001f]/g, picture).replace(obeyed, picture);
}

/** JSON allows characters that some terminals obey. Escaped, they read back as the same value. */
export function harmlessJson(json: string): string {
  return json.replace(obeyed, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** In addition to the control characters that every terminal obeys. */
const obeyed = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function picture(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}
