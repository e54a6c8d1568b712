/** Which stages stand beside each other, and what happens to a passage between them? */
import type { StageView } from "../ask/run";
import type { Candidate } from "../api/types";

/** Depth of every stage: one more than its deepest input. Unknown inputs and cycles count as none. */
export function depths(stages: readonly StageView[]): Map<string, number> {
  const byId = new Map(stages.map((stage) => [stage.id, stage]));
  const known = new Map<string, number>();
  const visit = (id: string, path: ReadonlySet<string>): number => {
    const done = known.get(id);
    if (done !== undefined) return done;
    const inputs = (byId.get(id)?.inputs ?? []).filter((input) => byId.has(input) && !path.has(input));
    const depth = inputs.length === 0 ? 0 : 1 + Math.max(...inputs.map((i) => visit(i, new Set([...path, id]))));
    known.set(id, depth);
    return depth;
  };
  for (const stage of stages) visit(stage.id, new Set([stage.id]));
  return known;
}

/** Stages by depth, in the given order within one depth. */
export function layers(stages: readonly StageView[]): StageView[][] {
  const depth = depths(stages);
  const out: StageView[][] = [];
  for (const stage of stages) {
    const at = depth.get(stage.id) ?? 0;
    while (out.length <= at) out.push([]);
    out[at]?.push(stage);
  }
  return out.filter((layer) => layer.length > 0);
}

export interface Movement {
  /** Passages that no input of the stage held. */
  entered: Set<string>;
  /** Passages that no later stage took over. Empty for the last stages. */
  dropped: Set<string>;
}

/** What entered and what was dropped at each finished stage. */
export function movements(stages: readonly StageView[]): Map<string, Movement> {
  const held = new Map(stages.map((stage) => [stage.id, idsOf(stage)]));
  const out = new Map<string, Movement>();
  for (const stage of stages) {
    const mine = held.get(stage.id) ?? new Set<string>();
    const sources = stage.inputs.filter((id) => held.has(id));
    const takers = stages.filter((other) => other.inputs.includes(stage.id));
    const finished = takers.filter((other) => other.result);
    out.set(stage.id, {
      entered: new Set(
        sources.length === 0 ? [] : [...mine].filter((id) => !sources.some((source) => held.get(source)?.has(id))),
      ),
      dropped: new Set(
        takers.length === 0 || finished.length < takers.length
          ? []
          : [...mine].filter((id) => !finished.some((taker) => held.get(taker.id)?.has(id))),
      ),
    });
  }
  return out;
}

/** Passages of the stages that nothing reads any further: what came out at the end. */
export function survivors(stages: readonly StageView[]): Set<string> {
  const read = new Set(stages.flatMap((stage) => stage.inputs));
  const out = new Set<string>();
  for (const stage of stages) {
    if (!read.has(stage.id) && stage.result) for (const id of idsOf(stage)) out.add(id);
  }
  return out;
}

/** The fullest copy of each passage: the newest evidence, and text and source from whichever list has them. */
export function passages(stages: readonly StageView[]): Map<string, Candidate> {
  const out = new Map<string, Candidate>();
  for (const stage of stages) {
    for (const candidate of stage.result?.candidates ?? []) {
      const known = out.get(candidate.chunk_id);
      out.set(candidate.chunk_id, {
        ...candidate,
        text: candidate.text || known?.text || "",
        source: candidate.source?.title || !known ? candidate.source : known.source,
        evidence: mergeEvidence(known?.evidence ?? [], candidate.evidence ?? []),
      });
    }
  }
  return out;
}

function mergeEvidence(known: Candidate["evidence"], more: Candidate["evidence"]): Candidate["evidence"] {
  const seen = new Set(known.map((evidence) => evidence.stage));
  return [...known, ...more.filter((evidence) => !seen.has(evidence.stage))];
}

function idsOf(stage: StageView): Set<string> {
  return new Set((stage.result?.candidates ?? []).map((candidate) => candidate.chunk_id));
}
