/** Are events read as they were sent, wherever the network cuts them? */
import { expect, test } from "vitest";
import { EventStreamParser, readEvents, type ServerEvent } from "../src/api/sse";

function parse(...pieces: string[]): ServerEvent[] {
  const parser = new EventStreamParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

test("an event has its name, id and data", () => {
  expect(parse('event: stage\nid: 3\ndata: {"a":1}\n\n')).toEqual([{ event: "stage", id: "3", data: '{"a":1}' }]);
});

test("an event cut anywhere is the same event", () => {
  const whole = 'event: token\nid: 7\ndata: {"text":"né 😀"}\n\n';
  const expected = parse(whole);
  for (let cut = 1; cut < whole.length; cut += 1) {
    expect(parse(whole.slice(0, cut), whole.slice(cut))).toEqual(expected);
  }
});

test("line and paragraph separators inside data do not end a line", () => {
  const text = "a\u2028b\u2029c\u0085d\fe\u000bf";
  expect(parse(`data: ${text}\n\n`)).toEqual([{ event: "message", id: "", data: text }]);
});

test("carriage returns before line feeds are dropped", () => {
  expect(parse("event: done\r\ndata: {}\r\n\r\n")).toEqual([{ event: "done", id: "", data: "{}" }]);
});

test("several data lines are joined, comments and unknown fields are not data", () => {
  expect(parse(": keep alive\n\ndata: a\nretry: 10\ndata:b\n\n")).toEqual([{ event: "message", id: "", data: "a\nb" }]);
});

test("the event's name is forgotten after it, its id is kept", () => {
  expect(parse("event: x\nid: 1\ndata: 1\n\ndata: 2\n\n").map(({ event, id }) => [event, id])).toEqual([
    ["x", "1"],
    ["message", "1"],
  ]);
});

test("an unfinished event is not an event", () => {
  expect(parse("event: answer\ndata: {}\n")).toEqual([]);
});

test("characters cut inside their bytes arrive whole", async () => {
  const bytes = new TextEncoder().encode('data: "😀 ü"\n\n');
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
      controller.close();
    },
  });
  const found: string[] = [];
  for await (const event of readEvents(body)) found.push(event.data);
  expect(found).toEqual(['"😀 ü"']);
});

test("stopping early closes the connection", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode("data: 1\n\n"));
    },
    cancel() {
      cancelled = true;
    },
  });
  for await (const _ of readEvents(body)) break;
  expect(cancelled).toBe(true);
});
