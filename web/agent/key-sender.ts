// Sends keys one request after the other: two requests at once could arrive in the wrong order.

/** In UTF-16 units; the server takes 4 kB, and a unit is at most three bytes. */
const mostUnits = 1000;

export class KeySender {
  readonly #send: (data: string) => Promise<unknown>;
  readonly #failed: (error: unknown) => void;
  #waiting = "";
  #isSending = false;

  constructor(send: (data: string) => Promise<unknown>, failed: (error: unknown) => void) {
    this.#send = send;
    this.#failed = failed;
  }

  async type(data: string): Promise<void> {
    this.#waiting += data;
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#waiting !== "") {
        const piece = firstPiece(this.#waiting);
        this.#waiting = this.#waiting.slice(piece.length);
        await this.#send(piece);
      }
    } catch (error) {
      // What follows a lost key would mean something else.
      this.#waiting = "";
      this.#failed(error);
    } finally {
      this.#isSending = false;
    }
  }
}

/** A character is never cut in two. */
function firstPiece(text: string): string {
  const isPairCut = /[\ud800-\udbff]/.test(text[mostUnits - 1] ?? "");
  return text.slice(0, isPairCut ? mostUnits - 1 : mostUnits);
}
