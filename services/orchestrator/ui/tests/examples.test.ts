/** Are the example questions ones that a document can answer? */
import { expect, test } from "vitest";
import { exampleQuestion } from "../src/ask/Examples";

test("a heading that asks is the question", () => {
  expect(exampleQuestion("Guide", ["Intro text", "Can it be used at sea?"])).toBe("Can it be used at sea?");
});

test("a heading that repeats the title, or is only a number, is passed over", () => {
  expect(exampleQuestion("The guide", ["The guide", "1.2.3.4", "Cleaning it"])).toBe(
    "What does The guide say about “Cleaning it”?",
  );
});

test("without headings the whole document is asked about", () => {
  expect(exampleQuestion("notes.txt", [])).toBe("What is notes.txt about?");
});
