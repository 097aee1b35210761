// What became of a message, in words. Pure.

export interface SendAnswer {
  outcome: "delivered" | "queued" | "held" | "refused" | "uncertain";
  position: number | null;
  why: string | null;
  door: string | null;
}

export interface SentWords {
  word: string;
  tone: "good" | "accent" | "bad";
  why: string | null;
}

export function sentWords({ outcome, position, why }: SendAnswer): SentWords {
  switch (outcome) {
    case "delivered":
      return { word: "Delivered", tone: "good", why: null };
    case "queued":
      return { word: position === null ? "Queued" : `Queued, number ${position}`, tone: "accent", why };
    case "held":
      return { word: "Held: it waits in the queue", tone: "accent", why };
    case "uncertain":
      return { word: "Nothing proves that it arrived", tone: "bad", why };
    case "refused":
      return { word: "Refused", tone: "bad", why };
  }
}

/** What a receipt's detail says to a person: hivemind's own facts, as JSON at its end, are left out. */
export function detailWords(detail: string): string {
  return detail.replace(/\s*\{.*\}$/s, "");
}
