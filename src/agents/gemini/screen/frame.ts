// Where Gemini CLI draws its input box, read from rows without styles.
//
// - From top to bottom: a rule over the whole width, a row with the mode, the upper edge, the prompt, the rows of the
//   draft, the lower edge, a menu, the footer. Edges are blank rows, half blocks or rules, depending on the colours.
// - The conversation draws a message with the same prompt, but without the rule and the mode above it.
// - A row of a draft begins with three blanks. Rows of the menu and the footer begin with one.

export interface Frame {
  /** The rule above everything. */
  rule: number;
  prompt: number;
  /** Behind the last row of the draft. */
  end: number;
  /** `>`, `*` without any permission question, `!` for the shell, `(r:)` for the search in old inputs. */
  sign: string;
}

const promptForm = /^ (>|\*|!|\(r:\))(?: |$)/u;
const edgeForm = /^(?:|▄+|▀+|─+)$/u;
const ruleForm = /^─{3,}$/u;
/** The rows between the rule and the upper edge: the mode, in a narrow pane over several rows. */
const mostRowsAbove = 4;

/** Rows have no trailing blanks. */
export function findFrame(rows: readonly string[]): Frame | null {
  const prompt = rows.findLastIndex((row, at) => promptForm.test(row) && edgeForm.test(rows[at - 1] ?? "no"));
  if (prompt < 0) return null;
  const above = rows.slice(Math.max(0, prompt - 1 - mostRowsAbove), prompt - 1);
  const back = above.findLastIndex((row) => ruleForm.test(row));
  if (back < 0 || above.slice(back + 1).some((row) => /^\S/u.test(row))) return null;
  const isFooterLast = !rows
    .slice(prompt + 1)
    .some((row) => /^(?:[╭╰│✦✕ℹ]|\S)/u.test(row) && !edgeForm.test(row));
  if (!isFooterLast) return null;
  return {
    rule: prompt - 1 - above.length + back,
    prompt,
    end: endOf(rows, prompt),
    sign: promptForm.exec(rows[prompt]!)![1]!,
  };
}

/** A draft may have empty rows, which look like the edge below it. */
function endOf(rows: readonly string[], prompt: number): number {
  let end = prompt + 1;
  for (let at = end; at < rows.length; at++) {
    const row = rows[at]!;
    if (/^(?:▀+|─+)$/u.test(row) || /^ {1,2}\S/u.test(row)) break;
    if (row.startsWith("   ")) end = at + 1;
  }
  return end;
}

/** The client shows above the rule that it works. A narrow pane wraps the row. */
export function showsWork(rows: readonly string[], { rule }: Frame): boolean {
  return rows.slice(Math.max(0, rule - 3), rule).some((row) => /\(esc to cancel(?:, \d|\))/.test(row));
}
