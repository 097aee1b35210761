import { expect, test } from "vitest";
import { shortId } from "./short-id.js";

test.each([
  ["15533422-8bdb-5079-8420-efcdb81dd2e5", "15533422"],
  ["01a1ed6e-0553-7f82-bb3b-0e587bdb8e9c", "01a1ed6e-0553"],
  ["session-1700000000000-0", "session-1700000000000-0"],
  ["ses_5d7aa1b2cffeXk", "ses_5d7aa1b2cffeXk"],
])("%s is shown as %s", (id, expected) => expect(shortId(id)).toBe(expected));
