// The title of the pane; versions that animate it turn a spinner while they work.

import { paneTitle } from "./screen.js";
import type { Terminal } from "./terminal.js";

const spinnerMs = 960;

export class Title {
  private spinner: NodeJS.Timeout | null = null;

  constructor(private readonly terminal: Terminal) {}

  show(name: string | null, { isTurning }: { isTurning: boolean }): void {
    this.stop();
    let turn = 0;
    const draw = () => this.terminal.setTitle(paneTitle(name, isTurning ? turn++ : null));
    draw();
    if (isTurning) this.spinner = setInterval(draw, spinnerMs);
  }

  stop(): void {
    if (this.spinner !== null) clearInterval(this.spinner);
    this.spinner = null;
  }
}
