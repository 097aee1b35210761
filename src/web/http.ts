// The foreign code of `hivemind serve`. A file of its own in the package: only `hivemind serve` loads it.

export { createAdaptorServer } from "@hono/node-server";
export { type Context, Hono } from "hono";
