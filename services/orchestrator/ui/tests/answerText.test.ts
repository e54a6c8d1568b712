/** Is an answer read into paragraphs, lists and markers, and nothing more? */
import { expect, test } from "vitest";
import { parseAnswer, parseInline } from "../src/ask/answerText";

const known = (n: number): boolean => n <= 3;

test("markers are citations and the words around them stay", () => {
  expect(parseInline("Up [1], down [2, 3].", known)).toEqual([
    { kind: "text", text: "Up " },
    { kind: "cite", n: 1 },
    { kind: "text", text: ", down " },
    { kind: "cite", n: 2 },
    { kind: "cite", n: 3 },
    { kind: "text", text: "." },
  ]);
});

test("a bracketed number that nobody cited is text", () => {
  expect(parseInline("see [17]", known)).toEqual([{ kind: "text", text: "see [17]" }]);
});

test("a marker inside bold is still a citation", () => {
  expect(parseInline("**so [1]**", known)).toEqual([
    { kind: "strong", text: "so " },
    { kind: "cite", n: 1 },
  ]);
});

test("lists, headings and paragraphs are told apart", () => {
  const kinds = parseAnswer("# Head\nOne\ntwo\n\n- a [1]\n- b\n1. c\n```\nx [1]\n```", known).map((block) => block.kind);
  expect(kinds).toEqual(["heading", "paragraph", "list", "list", "code"]);
});

test("markup is not interpreted", () => {
  expect(parseAnswer('<img src=x onerror="alert(1)">', known)).toEqual([
    { kind: "paragraph", inlines: [{ kind: "text", text: '<img src=x onerror="alert(1)">' }] },
  ]);
});
