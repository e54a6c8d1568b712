/** Does the part of the document in hand grow without gap or overlap? */
import { expect, test } from "vitest";
import { joined, MARGIN, rangeAfter, rangeAround, rangeBefore, STEP } from "../src/reading/textWindow";

test("a window stays inside the document", () => {
  expect(rangeAround(10, 20, 100)).toEqual({ start: 0, end: 100 });
  expect(rangeAround(50_000, 50_100, 200_000)).toEqual({ start: 50_000 - MARGIN, end: 50_100 + MARGIN });
});

test("growing reaches both ends of the document exactly", () => {
  const text = Array.from({ length: 30_000 }, (_, at) => String.fromCharCode(97 + (at % 26))).join("");
  let window = { ...rangeAround(15_000, 15_010, text.length), text: "" };
  window.text = text.slice(window.start, window.end);
  for (let range = rangeBefore(window); range; range = rangeBefore(window)) {
    expect(range.end - range.start).toBeLessThanOrEqual(STEP);
    window = joined(window, range, text.slice(range.start, range.end));
  }
  for (let range = rangeAfter(window, text.length); range; range = rangeAfter(window, text.length)) {
    window = joined(window, range, text.slice(range.start, range.end));
  }
  expect(window).toEqual({ start: 0, end: text.length, text });
});

test("a stretch that touches neither end is refused", () => {
  const window = { start: 10, end: 20, text: "0123456789" };
  expect(joined(window, { start: 30, end: 40 }, "x")).toBe(window);
});
