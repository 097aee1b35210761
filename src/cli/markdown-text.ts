// Words of somebody else inside a Markdown page of ours. Pure; control characters are gone already.
//
// [MG1] A line that would be a heading of the page's two levels, or begin a block of HTML, gets a backslash, which
//       Markdown takes away again: a fence inside of HTML would be none, and an open comment hides what follows.
// [MG2] Code between fences is left as it is, and a fence that is left open is closed.
// [MG3] An indented fence may stand in an item of a list, and ends with it: where its end is not sure, it is text.

export function guardedText(text: string): string {
  const all = text.split("\n");
  const written: string[] = [];
  let [codeEnd, run] = [-1, ""];
  for (const [at, line] of all.entries()) {
    const fence = at > codeEnd ? fenceIn(line) : null;
    if (fence !== null) [codeEnd, run] = [endOfFence(all, at, fence) ?? codeEnd, fence.run];
    const unsafe = fence === null ? blockStart : /^( *)/;
    written.push(at <= codeEnd ? line : line.replace(unsafe, "$1\\"));
  }
  if (codeEnd === all.length) written.push(run);
  return written.join("\n");
}

interface Fence {
  indent: number;
  /** Its backticks or tildes. */
  run: string;
}

const blockStart = /^( {0,3})(?=#{1,2}(?:\s|$)|<(?:[!?]|\/?[a-z][a-z\d-]*(?:[\s/>]|$)))/i;
const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

function fenceIn(line: string): Fence | null {
  const [, indent, run] = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? [];
  return run === undefined ? null : { indent: indent!.length, run };
}

/** The line of its end, the first behind the text where it has none, or null where that is not sure. */
function endOfFence(all: readonly string[], from: number, { indent, run }: Fence): number | null {
  const isClosing = (line: string) => closing.exec(line)?.[1]?.startsWith(run);
  const isInside = (line: string) => /^[ \t]*$/.test(line) || line.startsWith(" ".repeat(indent));
  for (let at = from + 1; at < all.length; at++) {
    const line = all[at]!;
    const isSure = indent === 0 || isInside(line);
    if (isSure && isClosing(line)) return at;
    // A deeper fence ends it in a list, and does not without one.
    if (!isSure || (indent > 0 && line.trimStart().startsWith(run))) return null;
  }
  return indent === 0 ? all.length : null;
}
