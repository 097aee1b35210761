import { expect, test } from "vitest";
import { pane } from "../../test/fleet/made.js";
import { HiveError } from "../base/errors.js";
import { chooseServer } from "../tmux/socket.js";
import { rowAddress } from "./find-pane.js";

test("[FD1] a name that no row can hold is refused with a command that gives it another", () => {
  const server = chooseServer({ HIVEMIND_TMUX_SOCKET: "/srv/a b.sock" });
  expect(rowAddress(pane("web:0.1"), server)).toBe("web:0.1");
  const odd = pane("$(touch x):0.1", { id: "%7" });
  const hint = "rename it: tmux -S '/srv/a b.sock' rename-session -t %7 NAME";
  expect(() => rowAddress(odd, server)).toThrow(expect.objectContaining({ hint }));
  expect(() => rowAddress(odd, undefined)).toThrow(HiveError);
});
