// The help page, and the line of keys at the bottom. Pure: both are made from the bindings.

import { bindings, keyLabel, sections } from "../bindings.js";
import { type Line, span, textRows, widthOf } from "../terminal/frame.js";

export function helpLines(columns: number): Line[] {
  return sections.flatMap(({ title, bindings }, at) => [
    ...(at > 0 ? [[]] : []),
    [span(title, { isBold: true })],
    ...bindings.flatMap(({ keys, about }) =>
      textRows(about, Math.max(8, columns - keyColumns)).map((row, part): Line => {
        const names = part === 0 ? `  ${keys.map(keyLabel).join(" ")}` : "";
        return [span(names.padEnd(keyColumns), { colour: "cyan" }), span(row)];
      }),
    ),
  ]);
}

const keyColumns = 16;

/** As many as fit, the last ones (help and quit) always. */
export function keyLine(columns: number): Line {
  const shown = bindings.flatMap(({ keys, short }) =>
    short === undefined ? [] : [{ key: keyLabel(keys[0]), short }],
  );
  const widthOfKey = ({ key, short }: { key: string; short: string }) => widthOf(key) + widthOf(short) + 3;
  const [rest, last] = [shown.slice(0, -2), shown.slice(-2)];
  let left = columns - last.reduce((sum, each) => sum + widthOfKey(each), 0);
  const fitting = rest.filter((each) => {
    left -= widthOfKey(each);
    return left >= 0;
  });
  return [...fitting, ...last].flatMap(({ key, short }) => [
    span(key, { colour: "cyan", isBold: true }),
    span(` ${short}  `, { isDim: true }),
  ]);
}
