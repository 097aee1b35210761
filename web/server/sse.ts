// Reads a text/event-stream: text in, events out. Pure.

export interface ServerEvent {
  event: string;
  data: string;
}

/** Keeps what is not yet whole; each call returns the events that are. */
export class EventReader {
  #rest = "";

  read(text: string): ServerEvent[] {
    this.#rest += text;
    const blocks = this.#rest.split(/\r\n\r\n|\n\n|\r\r/);
    // A break may be cut in two: "\r\n" + "\r\n".
    this.#rest = blocks.pop()!;
    return blocks.flatMap(eventIn);
  }
}

/** A block without data, such as a comment that keeps the connection open, is no event. */
function eventIn(block: string): ServerEvent[] {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line)!;
    if (name === "event") event = value!;
    if (name === "data") data.push(value!);
  }
  return data.length === 0 ? [] : [{ event, data: data.join("\n") }];
}
