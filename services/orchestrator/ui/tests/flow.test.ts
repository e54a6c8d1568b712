/** Is the rank flow drawn from the stages alone, whichever they are? */
import { expect, test } from "vitest";
import type { StageResult } from "../src/api/types";
import { stagesOf, startRun, type StageView } from "../src/ask/run";
import { layers, movements, passages, survivors } from "../src/flow/graph";
import { layoutFlow, MEASURE, neighbourRow } from "../src/flow/layout";
import { candidate, planned, result } from "./fixtures";

function views(...results: StageResult[]): StageView[] {
  return stagesOf({ ...startRun("q"), phase: "answered", results });
}

const left = planned("left");
const right = planned("right");
const mix = planned("mix", ["left", "right"]);
const last = planned("last", ["mix"]);
const stages = views(
  result(left, ["a", "b", "c"]),
  result(right, ["c", "d"]),
  result(mix, ["c", "a", "d", "new"]),
  result(last, ["a", "c"]),
);

test("stages stand in columns by their inputs", () => {
  expect(layers(stages).map((layer) => layer.map((stage) => stage.id))).toEqual([["left", "right"], ["mix"], ["last"]]);
});

test("a stage nobody has heard of gets a column and its links", () => {
  const fictional = views(result(left, ["a", "b"]), result(planned("tea_leaves", ["left"], "Tea leaves"), ["b"]));
  const layout = layoutFlow(fictional, MEASURE);
  expect(layout.blocks.map((block) => block.stage.title)).toContain("Tea leaves");
  expect(layout.links.map((link) => link.chunkId)).toEqual(["b"]);
});

test("inputs that are not there, and circles, do no harm", () => {
  const odd = views(result(planned("x", ["y", "nowhere"]), ["a"]), result(planned("y", ["x"]), ["a"]));
  expect(layers(odd).flat()).toHaveLength(2);
  expect(layoutFlow(odd, MEASURE).rows).toHaveLength(2);
});

test("what entered, what was dropped and what is left are known", () => {
  const moved = movements(stages);
  expect([...(moved.get("mix")?.entered ?? [])]).toEqual(["new"]);
  expect([...(moved.get("mix")?.dropped ?? [])]).toEqual(["d", "new"]);
  expect([...(moved.get("left")?.dropped ?? [])]).toEqual(["b"]);
  expect([...(moved.get("left")?.entered ?? [])]).toEqual([]);
  expect([...survivors(stages)]).toEqual(["a", "c"]);
});

test("nothing is called dropped while a stage behind it is still to come", () => {
  const run = { ...startRun("q"), plan: { stages: [left, mix] }, results: [result(left, ["a"])] };
  expect(movements(stagesOf(run)).get("left")?.dropped.size).toBe(0);
});

test("rows of one stage do not overlap, and fifty fit on a screen", () => {
  const many = views(result(left, Array.from({ length: 50 }, (_, at) => `c${at}`)));
  const layout = layoutFlow(many, MEASURE);
  layout.rows.slice(1).forEach((row, at) => {
    const before = layout.rows[at];
    expect(row.y).toBeGreaterThanOrEqual((before?.y ?? 0) + (before?.height ?? 0));
  });
  expect(layout.height).toBeLessThan(520);
});

test("stages of one depth stand below each other", () => {
  const blocks = layoutFlow(stages, MEASURE).blocks.filter((block) => block.x === 0);
  const [upper, lower] = blocks;
  expect(blocks).toHaveLength(2);
  expect(lower?.y).toBeGreaterThan((upper?.y ?? 0) + (upper?.height ?? 0));
});

test("a score kept from an earlier stage is told from the stage's own", () => {
  const reranked = result(last, [], {
    candidates: [candidate("a", "last", 1, { score_type: "LLM" }), candidate("c", "last", 2)],
  });
  const rows = layoutFlow(views(result(mix, ["a", "c"]), reranked), MEASURE).rows;
  expect(rows.filter((row) => row.stageId === "last").map((row) => row.carried)).toEqual([false, true]);
});

test("arrow keys walk the ranks and follow a passage from stage to stage", () => {
  const layout = layoutFlow(stages, MEASURE);
  const at = (key: string) => layout.rows.find((row) => row.key === key) ?? expect.fail(key);
  expect(neighbourRow(layout, at("left a"), "ArrowDown")?.key).toBe("left b");
  expect(neighbourRow(layout, at("left a"), "ArrowUp")).toBeNull();
  expect(neighbourRow(layout, at("left a"), "ArrowRight")?.key).toBe("mix a");
  expect(neighbourRow(layout, at("mix a"), "ArrowRight")?.key).toBe("last a");
  expect(neighbourRow(layout, at("last c"), "ArrowLeft")?.key).toBe("mix c");
  expect(neighbourRow(layout, at("last c"), "ArrowRight")).toBeNull();
  expect(neighbourRow(layout, at("left b"), "Enter")).toBeNull();
});

test("a passage keeps the text and evidence of every list that held it", () => {
  const bare = result(left, [], { candidates: [candidate("a", "left", 1, { text: "" })] });
  const filled = result(mix, [], { candidates: [candidate("a", "mix", 1, { text: "whole" })] });
  const found = passages(views(bare, filled)).get("a");
  expect(found?.text).toBe("whole");
  expect(found?.evidence.map((evidence) => evidence.stage)).toEqual(["left", "mix"]);
});
