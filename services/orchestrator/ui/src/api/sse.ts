/** How is a server-sent event stream read from a fetch body? */

export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

/**
 * Splits a stream of text into events. Lines end at \n (a preceding \r is dropped) and nowhere else: a passage
 * may hold U+2028, U+0085 or a form feed, which `String.split(/\s/)`-like line breaking would cut in two.
 */
export class EventStreamParser {
  #rest = "";
  #id = "";
  #event = "";
  #data: string[] = [];
  #first = true;

  /** The events that `text` completes; what is unfinished waits for the next call. */
  push(text: string): ServerEvent[] {
    if (this.#first && text !== "") {
      this.#first = false;
      if (text.startsWith("\uFEFF")) text = text.slice(1);
    }
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    const events: ServerEvent[] = [];
    for (const raw of lines) {
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
      if (line === "") {
        if (this.#data.length > 0) {
          events.push({ id: this.#id, event: this.#event || "message", data: this.#data.join("\n") });
        }
        this.#event = "";
        this.#data = [];
      } else {
        this.#field(line);
      }
    }
    return events;
  }

  #field(line: string): void {
    const colon = line.indexOf(":");
    if (colon === 0) return; // a comment keeps the connection alive
    const name = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? "" : line.slice(colon + 1);
    if (value.startsWith(" ")) value = value.slice(1);
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#event = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
  }
}

/** Events of a response body, in order. Ends with the body; aborting the fetch raises AbortError here. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const parser = new EventStreamParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    reader.cancel().catch(() => undefined); // stopping early must free the connection
  }
}
