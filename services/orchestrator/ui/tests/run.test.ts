/** Does a run say what its events said, in whatever order they come? */
import { expect, test } from "vitest";
import { advance, ended, runOfTrace, stagesOf, startRun, type Run } from "../src/ask/run";
import { planned, result } from "./fixtures";

function after(...events: [string, unknown][]): Run {
  return events.reduce((run, [event, data]) => advance(run, { id: "", event, data: JSON.stringify(data) }), startRun("q"));
}

const first = planned("first", [], "First list");
const second = planned("second", ["first"]);

test("the plan is there before any result, and its first stage is under way", () => {
  const run = after(["trace", { trace_id: "trc_1" }], ["plan", { stages: [first, second] }]);
  expect(stagesOf(run).map(({ title, state }) => [title, state])).toEqual([
    ["First list", "running"],
    ["Second", "waiting"],
  ]);
  expect(run.traceId).toBe("trc_1");
});

test("a stage fills its place in the plan and lets the next begin", () => {
  const run = after(["plan", { stages: [first, second] }], ["stage", result(first, ["a"])]);
  expect(stagesOf(run).map(({ id, state }) => [id, state])).toEqual([
    ["first", "done"],
    ["second", "running"],
  ]);
});

test("a stage that no plan announced appears all the same", () => {
  const run = after(["plan", { stages: [first] }], ["stage", result(planned("clairvoyance", ["first"]), ["a"])]);
  expect(stagesOf(run).map(({ title }) => title)).toEqual(["First list", "Clairvoyance"]);
});

test("a failed stage says so", () => {
  const run = after(["plan", { stages: [first] }], ["stage", result(first, [], { error: "out of reach" })]);
  expect(stagesOf(run)[0]?.state).toBe("failed");
});

test("tokens of a later round replace those before it, late ones of the earlier are ignored", () => {
  const run = after(
    ["token", { text: "wro", round: 0 }],
    ["token", { text: "ng", round: 0 }],
    ["token", { text: "right", round: 1 }],
    ["token", { text: "!", round: 0 }],
  );
  expect(run.text).toBe("right");
});

test("an error keeps what was found and fails the run", () => {
  const run = ended(after(["stage", result(first, ["a"])], ["error", { title: "Gone", request_id: "r1" }]));
  expect([run.phase, run.problem?.title, run.results.length]).toEqual(["failed", "Gone", 1]);
});

test("a stream that ends without an answer has failed, with one it has answered", () => {
  expect(ended(after(["token", { text: "half" }])).phase).toBe("failed");
  expect(ended(after(["answer", { answer: "a", citations: [] }])).phase).toBe("answered");
});

test("data that is no object and events of another name change nothing", () => {
  const run = startRun("q");
  expect(advance(run, { id: "", event: "stage", data: "not json" })).toBe(run);
  expect(advance(run, { id: "", event: "tomorrow", data: "{}" })).toBe(run);
});

test("a stored trace is drawn from its plan and stages", () => {
  const run = runOfTrace({ question: "q", trace_id: "trc_1", plan: [first, second], stages: [result(first, ["a"])] });
  expect(stagesOf(run).map(({ id, state }) => [id, state])).toEqual([
    ["first", "done"],
    ["second", "waiting"],
  ]);
});
