// The results of a pure function over a few texts that come again and again.

import { limits } from "../limits.js";

/** `make` must depend on its text alone. */
export function remembered<Value>(make: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = make(text);
    if (known.size >= limits.rememberedTexts) known.clear();
    known.set(text, value);
    return value;
  };
}
