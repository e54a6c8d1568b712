/** How did every passage move from stage to stage? */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Candidate } from "../api/types";
import type { StageView } from "../ask/run";
import { page } from "../shell/format";
import { passages, survivors } from "./graph";
import { FlowRows } from "./FlowRows";
import { layoutFlow, MEASURE, neighbourRow } from "./layout";
import { PassageCard } from "./PassageCard";

/** Ranks that get words: a few, so that fifty stay in sight, or all of them. */
const FEW = MEASURE.labelled;
const ALL = 1000;

export function RankFlow({ stages, onOpen }: { stages: StageView[]; onOpen: (candidate: Candidate) => void }) {
  const [hovered, setHovered] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [tabStop, setTabStop] = useState<string | null>(null);
  const [labelled, setLabelled] = useState(FEW);
  const [width, setWidth] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLDivElement>(null);

  const any = stages.some((stage) => stage.result);
  useLayoutEffect(() => {
    const box = frame.current;
    if (!box) return;
    const measure = (): void => setWidth(box.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [any]);

  const layout = useMemo(
    () => layoutFlow(stages, { ...MEASURE, width: width || MEASURE.width, labelled, gutter: width < 700 ? 36 : 64 }),
    [stages, width, labelled],
  );
  const known = useMemo(() => passages(stages), [stages]);
  const words = useMemo(() => labeller(known), [known]);
  const best = useMemo(() => [...survivors(stages)][0] ?? layout.rows[0]?.chunkId ?? null, [stages, layout]);
  useEffect(() => {
    setChosen((id) => (id && known.has(id) ? id : null));
  }, [known]);

  if (!any) return null;
  const active = hovered ?? chosen;
  const shown = known.get(active ?? best ?? "");

  const onKeyDown = (event: KeyboardEvent): void => {
    const from = layout.rows.find((row) => row.key === tabStop);
    const to = from ? neighbourRow(layout, from, event.key) : null;
    if (!to) return;
    event.preventDefault();
    setTabStop(to.key);
    setChosen(to.chunkId);
    canvas.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(to.key)}"]`)?.focus();
  };

  return (
    <section class="flow" aria-label="Rank flow">
      <header>
        <h2>How each passage moved</h2>
        <p class="legend">
          <span class="key kept">in the last list</span>
          <span class="key new">new in a stage</span>
          <span class="key gone">dropped after it</span>
        </p>
        <button type="button" class="button small" onClick={() => setLabelled(labelled === FEW ? ALL : FEW)}>
          {labelled === FEW ? "Name every passage" : "Name the first few"}
        </button>
      </header>
      <div class="flow-body">
        <div class="flow-frame" ref={frame}>
          <div
            ref={canvas}
            class={active ? "flow-canvas following" : "flow-canvas"}
            style={{ width: `${layout.width}px`, height: `${layout.height}px` }}
            onKeyDown={onKeyDown}
            onMouseLeave={() => setHovered(null)}
          >
            <svg width={layout.width} height={layout.height} aria-hidden="true">
              {layout.links.map((link) => (
                <path
                  key={link.key}
                  d={link.path}
                  class={[
                    "link",
                    link.series >= 0 ? `series-${link.series % 5}` : "",
                    link.survives ? "kept" : "",
                    link.chunkId === active ? "active" : "",
                  ].join(" ")}
                />
              ))}
            </svg>
            <FlowRows
              layout={layout}
              active={active}
              tabStop={tabStop ?? layout.rows[0]?.key ?? null}
              words={words}
              onHover={setHovered}
              onFocusRow={(row) => {
                setTabStop(row.key);
                setChosen(row.chunkId);
              }}
              onPick={(row) => setChosen(row.chunkId)}
            />
          </div>
        </div>
        {shown ? (
          <PassageCard
            candidate={shown}
            stages={stages}
            chosen={active !== null}
            onOpen={onOpen}
            onLeave={() => {
              setChosen(null);
              setHovered(null);
            }}
          />
        ) : null}
      </div>
    </section>
  );
}

/** Short words for a passage: its title, or what tells it from the others when most share a title. */
export function labeller(known: ReadonlyMap<string, Candidate>): (chunkId: string) => string {
  const titles = new Set([...known.values()].map(({ source }) => source?.title));
  const shared = titles.size <= known.size / 3;
  return (chunkId) => {
    const candidate = known.get(chunkId);
    if (!candidate) return chunkId;
    const { source, text } = candidate;
    const where = page(source?.page_label || null, source?.page_number);
    const title = source?.title || source?.file_name || chunkId;
    const own = shared ? source?.section?.at(-1) || text.slice(0, 80).replace(/\s+/g, " ") || title : title;
    return where ? `${own}, ${where}` : own;
  };
}
