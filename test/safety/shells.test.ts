import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type OnlyRule, onlyViolations, type Source } from "../tidy/rules.js";

const root = new URL("../..", import.meta.url).pathname;
const sources: Source[] = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
  .map((name) => ({ path: join("src", name), text: readFileSync(join(root, "src", name), "utf8") }));

/** Each way in which a text can become a command, by the program that would run it. */
const ways: (OnlyRule & { example: string })[] = [
  {
    deed: "gives a shell a line",
    seen: /["'`](?:\/bin\/)?(?:ba|da|z|k)?sh["'`],\s*\[?\s*["'`]-\w*c["'`]/,
    example: 'spawn("sh", ["-c", line])',
    // Fixed lines; everything variable is passed as arguments. Of the second one the name of a variable is our own.
    allowed: ["src/viewer/keeper.ts", "src/teams/start/secret.ts", "src/base/system/unit/systemd-text.ts"],
  },
  {
    deed: "starts a program through a shell",
    seen: /\bshell:\s*(?:true|["'`])|(?<![.\w])exec(?:Sync)?\(/,
    example: 'spawn(x, [], { shell: "/bin/sh" })',
    // A client's hooks and status line are shell lines that its user wrote.
    allowed: ["demo-agent/"],
  },
  {
    deed: "has tmux run a shell line",
    // With -F nothing is run: the format itself is the condition.
    seen: /["'`](?:if-shell["'`](?!, ["'`]-F["'`])|pipe-pane|display-popup|popup|confirm-before|command-prompt|set-hook|bind-key)(?!\w)/,
    example: '["if-shell", "true", x]',
    // The key that a person installs: it opens hivemind itself, as quoted words of our own.
    allowed: ["src/cli/tmux/tmux-lines.ts"],
  },
  {
    deed: "has tmux run a foreign line",
    seen: /["'`]run-shell["'`],(?!\s*["'`]-b["'`],\s*["'`]true["'`])/,
    example: '["run-shell", line]',
    allowed: [],
  },
  {
    deed: "writes a format that runs",
    seen: /["'`][^"'`\n]*#\(/,
    example: '["display-message", "-p", "#(date)"]',
    // Its help shows what a person may put into tmux's own settings.
    allowed: ["src/cli/status/statusline.ts"],
  },
  {
    deed: "evaluates text",
    seen: /\beval\(|new Function\(|\bvm\.run/,
    example: "eval(text)",
    allowed: [],
  },
];

describe("no text becomes a command", () => {
  test.each(ways.map((way) => [way.deed, way] as const))("nothing in the source %s", (_, way) => {
    expect(onlyViolations(sources, [way])).toEqual([]);
    expect(onlyViolations([{ path: "src/x/y.ts", text: way.example }], [way])).toHaveLength(1);
  });
});
