import { expect, test } from "vitest";
import { chooseServer, typedTmux } from "./socket.js";

const inside = "/tmp/tmux-0/default,123,0";

test.each([
  ["a path", { HIVEMIND_TMUX_SOCKET: "/run/x.sock", TMUX: inside }, ["-S", "/run/x.sock"], true],
  ["a name", { HIVEMIND_TMUX_SOCKET: "lab", TMUX: inside }, ["-L", "lab"], true],
  ["the server that we run in", { TMUX: inside }, ["-S", "/tmp/tmux-0/default"], false],
  [
    "an empty variable, which is ignored",
    { HIVEMIND_TMUX_SOCKET: "", TMUX: inside },
    ["-S", "/tmp/tmux-0/default"],
    false,
  ],
  ["an empty TMUX, which is ignored", { TMUX: "" }, [], false],
  ["nothing, which is tmux's default", {}, [], false],
])("%s", (_what, env, flags, isNamed) => {
  expect(chooseServer(env)).toEqual({ flags, isNamed });
});

test("a socket given by the caller comes before the environment", () => {
  expect(chooseServer({ HIVEMIND_TMUX_SOCKET: "lab" }, "./own.sock").flags).toEqual(["-S", "./own.sock"]);
});

test.each([
  ["a server chosen by name", { HIVEMIND_TMUX_SOCKET: "/a b/sock" }, "tmux -S '/a b/sock' attach -t '=web'"],
  ["a server that plain tmux finds", { TMUX: inside }, "tmux attach -t '=web'"],
])("typed for %s", (_what, env, typed) => {
  expect(typedTmux(chooseServer(env), "attach", "-t", "=web")).toBe(typed);
});
