/** Do the gateway's offsets find the same characters in JavaScript's strings? */
import { expect, test } from "vitest";
import { codePointLength, cutAround, utf16Index } from "../src/reading/codepoints";

test("an offset before, inside and after emoji finds the same character", () => {
  const text = "a😀b👩‍🚀c";
  const points = Array.from(text);
  points.forEach((point, offset) => {
    const at = utf16Index(text, offset);
    expect(text.slice(at, at + point.length)).toBe(point);
  });
  expect(utf16Index(text, points.length)).toBe(text.length);
});

test("offsets outside the text are moved to its ends", () => {
  expect(utf16Index("😀", -3)).toBe(0);
  expect(utf16Index("😀", 9)).toBe(2);
});

test("length counts code points", () => {
  expect(codePointLength("")).toBe(0);
  expect(codePointLength("é𝔘😀x")).toBe(4);
});

test("a window is cut around a span given in the whole document's offsets", () => {
  const whole = "😀😀 head. The cited 𝔘 words. Tail 😀";
  const points = Array.from(whole);
  const quote = "The cited 𝔘 words.";
  const start = Array.from(whole.slice(0, whole.indexOf(quote))).length;
  const end = start + Array.from(quote).length;
  const windowStart = 2;
  const window = points.slice(windowStart).join("");
  expect(cutAround(window, windowStart, start, end)).toEqual({ before: " head. ", marked: quote, after: " Tail 😀" });
});

test("a span that begins before the window is cut at the window", () => {
  expect(cutAround("cdef", 2, 0, 4)).toEqual({ before: "", marked: "cd", after: "ef" });
});
