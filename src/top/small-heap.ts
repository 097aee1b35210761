// Keeps the heap of a program that runs all day near what it needs.
//
// A look makes a few megabytes of garbage. V8 answers by making room for more of it, and keeps that room: half of what is
// resident after some minutes. Both flags are read whenever V8 decides about more room, so they count at once.

import { setFlagsFromString } from "node:v8";

export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=20");
}
