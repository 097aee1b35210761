// One clock for all ages on the page: it ticks only while somebody reads it and the page is visible.

import { signal } from "@preact/signals";

const tickMs = 1000;
let timer: ReturnType<typeof setInterval> | undefined;

export const nowMs = signal(Date.now(), {
  watched() {
    timer = setInterval(() => {
      if (document.visibilityState === "visible") nowMs.value = Date.now();
    }, tickMs);
  },
  unwatched() {
    clearInterval(timer);
  },
});
