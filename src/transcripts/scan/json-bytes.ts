// The bytes of JSON syntax, for code that reads JSON without a parser.

export const space = 0x20;
export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

export const role = { refused: 0, plain: 1, opens: 2, closes: 3, between: 4 } as const;

/** What a byte means outside of strings. */
export const roles = new Uint8Array(256);
for (const byte of Buffer.from("0123456789+-.eEtruefalsn")) roles[byte] = role.plain;
for (const byte of Buffer.from(",: \t\r")) roles[byte] = role.between;
for (const byte of [openBrace, openBracket]) roles[byte] = role.opens;
for (const byte of [closeBrace, closeBracket]) roles[byte] = role.closes;

const byteOrderMark = Buffer.from("\ufeff");

/** The start of a file's text: some editors write a byte order mark first. */
export function textStart(head: Buffer): number {
  return head.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;
}
