// Code, strong words and links inside a line of text. Pure.

export type InlinePiece =
  | { kind: "text" | "code" | "strong"; text: string }
  /** `href` is an absolute http or https address, as the browser would write it. */
  | { kind: "link"; text: string; href: string };

const pieces =
  /(`+)([^`]|[^`].*?[^`])\1(?!`)|\*\*(\S(?:.*?\S)?)\*\*|\[([^\][\n]+)\]\((\S+?)\)|https?:\/\/[^\s<>"'`)\]}]+/gs;

export function parseInline(text: string): InlinePiece[] {
  const found: InlinePiece[] = [];
  let end = 0;
  const plain = (until: number) => {
    if (until > end) found.push({ kind: "text", text: text.slice(end, until) });
  };
  for (const match of text.matchAll(pieces)) {
    const { index } = match;
    const [whole, , code, strong, words, address] = match;
    const piece = pieceOf(whole, code, strong, words, address);
    if (piece === null) continue;
    plain(index);
    found.push(piece);
    end = index + (piece.kind === "link" && words === undefined ? piece.text.length : whole.length);
  }
  plain(text.length);
  return found;
}

function pieceOf(
  whole: string,
  code: string | undefined,
  strong: string | undefined,
  words: string | undefined,
  address: string | undefined,
): InlinePiece | null {
  if (code !== undefined) return { kind: "code", text: code };
  if (strong !== undefined) return { kind: "strong", text: strong };
  // A full stop after a bare address ends the sentence.
  const typed = address ?? whole.replace(/[.,;:!?]+$/, "");
  const href = webAddress(typed);
  return href === null ? null : { kind: "link", text: words ?? typed, href };
}

/** Null for every other scheme: `javascript:`, `data:`, `file:` never become links. */
export function webAddress(text: string): string | null {
  try {
    const url = new URL(text);
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
  } catch {
    return null;
  }
}
