/** Where does every passage of every stage stand in the rank flow? Pixels from ranks, nothing else. */
import { linkHorizontal } from "d3-shape";
import type { StageView } from "../ask/run";
import type { Candidate } from "../api/types";
import { layers, movements, survivors } from "./graph";

export interface FlowRow {
  key: string;
  stageId: string;
  chunkId: string;
  rank: number;
  candidate: Candidate;
  labelled: boolean;
  /** Share of the stage's best score among scores of the same type, 0..1. */
  strength: number;
  /** Its score is of another type than the stage's own: an earlier stage's, kept below the depth of this one. */
  carried: boolean;
  entered: boolean;
  dropped: boolean;
  survives: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface FlowBlock {
  stage: StageView;
  x: number;
  y: number;
  width: number;
  height: number;
  entered: number;
  dropped: number;
}

export interface FlowLink {
  key: string;
  chunkId: string;
  path: string;
  survives: boolean;
  /** Index of the stage it starts at among stages without inputs, or -1: picks the colour. */
  series: number;
}

export interface FlowLayout {
  width: number;
  height: number;
  blocks: FlowBlock[];
  rows: FlowRow[];
  links: FlowLink[];
}

export interface FlowMeasure {
  width: number;
  /** Ranks up to this one are tall enough for words. */
  labelled: number;
  headHeight: number;
  rowHeight: number;
  thinHeight: number;
  minColumn: number;
  gutter: number;
  blockGap: number;
}

export const MEASURE: FlowMeasure = {
  width: 960,
  labelled: 8,
  headHeight: 44,
  rowHeight: 21,
  thinHeight: 6,
  minColumn: 118,
  gutter: 64,
  blockGap: 26,
};

/** The whole diagram. Every stage gets a column by its depth; stages of one depth stand below each other. */
export function layoutFlow(stages: readonly StageView[], measure: FlowMeasure): FlowLayout {
  const columns = layers(stages);
  const moved = movements(stages);
  const kept = survivors(stages);
  const gutters = measure.gutter * Math.max(0, columns.length - 1);
  const columnWidth = Math.max(measure.minColumn, (measure.width - gutters) / Math.max(1, columns.length));
  const blocks: FlowBlock[] = [];
  const rows: FlowRow[] = [];
  columns.forEach((column, at) => {
    const x = at * (columnWidth + measure.gutter);
    let y = 0;
    for (const stage of column) {
      const movement = moved.get(stage.id);
      let rowY = y + measure.headHeight;
      const strengthOf = strengths(stage.result?.candidates ?? []);
      (stage.result?.candidates ?? []).forEach((candidate, index) => {
        const labelled = index < measure.labelled;
        const height = labelled ? measure.rowHeight : measure.thinHeight;
        rows.push({
          key: `${stage.id} ${candidate.chunk_id}`,
          stageId: stage.id,
          chunkId: candidate.chunk_id,
          rank: index + 1,
          candidate,
          labelled,
          strength: strengthOf(candidate),
          carried: candidate.score_type !== stage.result?.candidates[0]?.score_type,
          entered: movement?.entered.has(candidate.chunk_id) ?? false,
          dropped: movement?.dropped.has(candidate.chunk_id) ?? false,
          survives: kept.has(candidate.chunk_id),
          x,
          y: rowY,
          width: columnWidth,
          height,
        });
        rowY += height;
      });
      const height = Math.max(rowY - y, measure.headHeight + measure.rowHeight);
      blocks.push({
        stage,
        x,
        y,
        width: columnWidth,
        height,
        entered: movement?.entered.size ?? 0,
        dropped: movement?.dropped.size ?? 0,
      });
      y += height + measure.blockGap;
    }
  });
  const height = Math.max(0, ...blocks.map((block) => block.y + block.height));
  const width = columns.length * columnWidth + gutters;
  return { width, height, blocks, rows, links: linksBetween(stages, rows) };
}

const curve = linkHorizontal<unknown, [number, number]>();

function linksBetween(stages: readonly StageView[], rows: readonly FlowRow[]): FlowLink[] {
  const at = new Map(rows.map((row) => [row.key, row]));
  const roots = stages.filter((stage) => stage.inputs.length === 0).map((stage) => stage.id);
  const links: FlowLink[] = [];
  for (const target of rows) {
    const stage = stages.find((known) => known.id === target.stageId);
    for (const input of stage?.inputs ?? []) {
      const source = at.get(`${input} ${target.chunkId}`);
      if (!source) continue;
      const path = curve({
        source: [source.x + source.width, source.y + source.height / 2],
        target: [target.x, target.y + target.height / 2],
      });
      links.push({
        key: `${source.key} ${target.stageId}`,
        chunkId: target.chunkId,
        path: path ?? "",
        survives: target.survives,
        series: roots.indexOf(input),
      });
    }
  }
  return links;
}

function strengths(candidates: readonly Candidate[]): (candidate: Candidate) => number {
  const best = new Map<string, number>();
  for (const { score, score_type } of candidates) best.set(score_type, Math.max(best.get(score_type) ?? 0, score));
  return ({ score, score_type }) => {
    const top = best.get(score_type) ?? 0;
    return top > 0 ? Math.min(1, Math.max(0, score / top)) : 0;
  };
}

/** The row reached from `from` by an arrow key: along the ranks, or with the passage to the next stage. */
export function neighbourRow(layout: FlowLayout, from: FlowRow, key: string): FlowRow | null {
  const own = layout.rows.filter((row) => row.stageId === from.stageId);
  if (key === "ArrowDown") return own[from.rank] ?? null;
  if (key === "ArrowUp") return own[from.rank - 2] ?? null;
  if (key === "Home") return own[0] ?? null;
  if (key === "End") return own.at(-1) ?? null;
  const sideways = layout.rows.filter((row) => (key === "ArrowRight" ? row.x > from.x : row.x < from.x));
  if (!["ArrowRight", "ArrowLeft"].includes(key) || sideways.length === 0) return null;
  const xs = sideways.map((row) => row.x);
  const nearest = (rows: FlowRow[]): number =>
    key === "ArrowRight" ? Math.min(...rows.map((row) => row.x)) : Math.max(...rows.map((row) => row.x));
  const same = sideways.filter((row) => row.chunkId === from.chunkId);
  const x = same.length > 0 ? nearest(same) : key === "ArrowRight" ? Math.min(...xs) : Math.max(...xs);
  const there = (same.length > 0 ? same : sideways).filter((row) => row.x === x);
  return there.reduce<FlowRow | null>(
    (best, row) => (!best || Math.abs(row.y - from.y) < Math.abs(best.y - from.y) ? row : best),
    null,
  );
}
