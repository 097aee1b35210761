import { expect, test } from "vitest";
import { chooseServer, typedTmux } from "./socket.js";

const inside = "/tmp/tmux-0/default,123,0";

test.each([
  ["a path", { HIVEMIND_TMUX_SOCKET: "/run/x.sock", TMUX: inside }, ["-S", "/run/x.sock"], true],
  ["a name", { HIVEMIND_TMUX_SOCKET: "lab", TMUX: inside }, ["-L", "lab"], true],
  ["the server we are in", { TMUX: inside }, ["-S", "/tmp/tmux-0/default"], false],
  [
    "an empty variable, which names nothing",
    { HIVEMIND_TMUX_SOCKET: "", TMUX: inside },
    ["-S", "/tmp/tmux-0/default"],
    false,
  ],
  ["an empty TMUX, which is no server", { TMUX: "" }, [], false],
  ["nothing, which is tmux's default", {}, [], false],
])("[TO1] %s", (_what, env, flags, isNamed) => {
  expect(chooseServer(env)).toEqual({ flags, isNamed });
});

test("[TO1] a socket given by the caller comes before the environment", () => {
  expect(chooseServer({ HIVEMIND_TMUX_SOCKET: "lab" }, "./own.sock").flags).toEqual(["-S", "./own.sock"]);
});

test.each([
  ["a server that was named", { HIVEMIND_TMUX_SOCKET: "/a b/sock" }, "tmux -S '/a b/sock' attach -t '=web'"],
  ["one that plain tmux finds", { TMUX: inside }, "tmux attach -t '=web'"],
])("[TO2] typed for %s", (_what, env, typed) => {
  expect(typedTmux(chooseServer(env), "attach", "-t", "=web")).toBe(typed);
});
