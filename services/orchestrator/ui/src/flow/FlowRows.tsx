/** What stands in each column? The stage's name and its passages, one button each. */
import { memo } from "preact/compat";
import { count, duration, score, scoreType } from "../shell/format";
import type { FlowBlock, FlowLayout, FlowRow } from "./layout";

interface Props {
  layout: FlowLayout;
  active: string | null;
  /** The one row that Tab reaches; arrows move from there. */
  tabStop: string | null;
  words: (chunkId: string) => string;
  onHover: (chunkId: string | null) => void;
  onFocusRow: (row: FlowRow) => void;
  onPick: (row: FlowRow) => void;
}

export function FlowRows({ layout, active, tabStop, words, onHover, onFocusRow, onPick }: Props) {
  return (
    <>
      {layout.blocks.map((block) => (
        <BlockHead key={block.stage.id} block={block} />
      ))}
      {layout.rows.map((row) => (
        <Row
          key={row.key}
          row={row}
          label={words(row.chunkId)}
          active={row.chunkId === active}
          tabStop={row.key === tabStop}
          onHover={onHover}
          onFocusRow={onFocusRow}
          onPick={onPick}
        />
      ))}
    </>
  );
}

function BlockHead({ block: { stage, x, y, width, entered, dropped } }: { block: FlowBlock }) {
  const { result } = stage;
  return (
    <div class={`flow-head ${stage.state}`} style={{ left: `${x}px`, top: `${y}px`, width: `${width}px` }}>
      <b>{stage.title}</b>
      <small>
        {result ? (result.error ? `failed, ${result.candidates.length} passed on` : `${result.candidates.length} in ${duration(result.duration_ms)}`) : stage.state}
        {entered > 0 ? <span class="new" title={`${count(entered, "passage")} new here`}>{` +${entered}`}</span> : null}
        {dropped > 0 ? <span class="gone" title={`${count(dropped, "passage")} dropped after it`}>{` −${dropped}`}</span> : null}
      </small>
    </div>
  );
}

interface RowProps extends Pick<Props, "onHover" | "onFocusRow" | "onPick"> {
  row: FlowRow;
  label: string;
  active: boolean;
  tabStop: boolean;
}

const Row = memo(function Row({ row, label, active, tabStop, onHover, onFocusRow, onPick }: RowProps) {
  const { candidate } = row;
  const facts = `${score(candidate.score)} ${scoreType(candidate.score_type)}`;
  const classes = ["flow-row", row.labelled ? "named" : "thin"];
  if (row.survives) classes.push("kept");
  if (row.carried) classes.push("carried");
  if (row.entered) classes.push("new");
  if (row.dropped) classes.push("gone");
  if (active) classes.push("active");
  return (
    <button
      type="button"
      data-key={row.key}
      class={classes.join(" ")}
      tabIndex={tabStop ? 0 : -1}
      aria-label={`Rank ${row.rank}: ${label}, ${facts}${row.entered ? ", new here" : ""}${row.dropped ? ", dropped after it" : ""}`}
      aria-pressed={active}
      style={{ left: `${row.x}px`, top: `${row.y}px`, width: `${row.width}px`, height: `${row.height}px` }}
      onMouseEnter={() => onHover(row.chunkId)}
      onFocus={() => onFocusRow(row)}
      onClick={() => onPick(row)}
    >
      <span class="strength" style={{ width: `${(row.strength * 100).toFixed(1)}%` }} />
      {row.labelled ? (
        <>
          <span class="rank">{row.rank}</span>
          <span class="words">{label}</span>
        </>
      ) : null}
    </button>
  );
}, sameRow);

function sameRow(before: RowProps, after: RowProps): boolean {
  return (
    before.row === after.row &&
    before.label === after.label &&
    before.active === after.active &&
    before.tabStop === after.tabStop
  );
}
