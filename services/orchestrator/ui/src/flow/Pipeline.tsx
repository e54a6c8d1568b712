/** Which stages does the question pass, which are done, and what did each of them say? */
import { useState } from "preact/hooks";
import { linkHorizontal } from "d3-shape";
import { sentenceOf } from "../api/problem";
import type { Plan } from "../api/types";
import type { StageView } from "../ask/run";
import { Notice } from "../shell/Notice";
import { count, duration } from "../shell/format";
import { layers } from "./graph";

const NODE = 58;
const GAP = 10;
/** Shares of a column: the node, and the space in which its links run. */
const WIDE = 0.82;
const curve = linkHorizontal<unknown, [number, number]>();

export function Pipeline({ stages, plan }: { stages: StageView[]; plan: Plan | null }) {
  const [openId, setOpenId] = useState<string | null>(null);
  const columns = layers(stages);
  if (columns.length === 0) return <div class="pipeline-space" aria-hidden="true" />;
  const tallest = Math.max(...columns.map((column) => column.length));
  const height = tallest * NODE + (tallest - 1) * GAP;
  const total = Math.max(1, ...stages.map(({ result }) => (result ? result.started_ms + result.duration_ms : 0)));
  const middle = new Map<string, { column: number; y: number }>();
  columns.forEach((column, at) => {
    const own = column.length * NODE + (column.length - 1) * GAP;
    column.forEach((stage, row) => {
      middle.set(stage.id, { column: at, y: (height - own) / 2 + row * (NODE + GAP) + NODE / 2 });
    });
  });
  // The last column needs no space to its right, so that the strip ends flush.
  const unit = 100 / (columns.length - 1 + WIDE);
  const open = stages.find((stage) => stage.id === openId) ?? null;
  return (
    <section class="pipeline" aria-label="Stages">
      <div class="pipeline-scroll">
        <div class="pipeline-canvas" style={{ height: `${height}px`, minWidth: `${columns.length * 90}px` }}>
          <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" aria-hidden="true">
            {stages.flatMap((stage) =>
              stage.inputs.map((input) => {
                const from = middle.get(input);
                const to = middle.get(stage.id);
                if (!from || !to) return null;
                const path = curve({ source: [(from.column + WIDE) * unit, from.y], target: [to.column * unit, to.y] });
                return <path key={`${input} ${stage.id}`} d={path ?? ""} class={`wire ${stage.state}`} />;
              }),
            )}
          </svg>
          {stages.map((stage) => {
            const at = middle.get(stage.id);
            if (!at) return null;
            return (
              <button
                key={stage.id}
                type="button"
                class={`node ${stage.state}`}
                aria-expanded={openId === stage.id}
                title={`${stage.title}: ${stateWords(stage)}`}
                style={{
                  left: `${at.column * unit}%`,
                  width: `${WIDE * unit}%`,
                  top: `${at.y - NODE / 2}px`,
                  height: `${NODE}px`,
                }}
                onClick={() => setOpenId(openId === stage.id ? null : stage.id)}
              >
                <span class="node-title">{stage.title}</span>
                <span class="node-facts">
                  <span>{stateWords(stage)}</span>
                  {stage.result && !stage.result.error ? (
                    <span class="node-count">{stage.result.candidates.length}</span>
                  ) : null}
                </span>
                {stage.result ? (
                  <span class="node-clock">
                    <span
                      style={{
                        left: `${(100 * stage.result.started_ms) / total}%`,
                        width: `${Math.max(1, (100 * stage.result.duration_ms) / total)}%`,
                      }}
                    />
                  </span>
                ) : null}
              </button>
            );
          })}
        </div>
      </div>
      {open ? <StageDetail stage={open} /> : null}
      <Said stages={stages} plan={plan} />
    </section>
  );
}

function stateWords({ state, result }: StageView): string {
  if (result?.error) return "failed";
  if (result) return duration(result.duration_ms);
  return state === "running" ? "running" : "waiting";
}

function StageDetail({ stage }: { stage: StageView }) {
  const params = Object.entries(stage.result?.params ?? {});
  return (
    <dl class="stage-detail">
      <div>
        <dt>stage</dt>
        <dd>
          {stage.id} <small>{stage.kind}</small>
        </dd>
      </div>
      {stage.result ? (
        <div>
          <dt>returned</dt>
          <dd>
            {count(stage.result.candidates.length, "passage")} in {duration(stage.result.duration_ms)}, begun at{" "}
            {duration(stage.result.started_ms)}
          </dd>
        </div>
      ) : null}
      {params.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Failures and notes of the stages, and what else was searched, in their own words. */
function Said({ stages, plan }: { stages: StageView[]; plan: Plan | null }) {
  const failures = stages.filter((stage) => stage.result?.error);
  const notes = stages.flatMap((stage) => (stage.result?.notes ?? []).map((note) => ({ stage, note })));
  const also = (plan?.expansions ?? []).filter((text): text is string => typeof text === "string");
  return (
    <>
      {failures.map((stage) => (
        <Notice key={stage.id} tone="warn">
          <strong>{stage.title} failed.</strong> {sentenceOf(stage.result?.error)}
        </Notice>
      ))}
      {also.length > 0 ? <p class="also">Also searched as: {also.join("; ")}</p> : null}
      {notes.length > 0 ? (
        <ul class="notes">
          {notes.map(({ stage, note }, at) => (
            <li key={at}>
              {notes[at - 1]?.stage === stage ? null : <b>{stage.title}</b>} {note}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
