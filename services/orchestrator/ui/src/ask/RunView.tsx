/** What happened to a question? Its pipeline, its answer, the document beside it, and the way of every passage. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { RankFlow } from "../flow/RankFlow";
import { Pipeline } from "../flow/Pipeline";
import { passageOfCandidate, passageOfCitation, type Passage } from "../reading/passage";
import { ReadingPane } from "../reading/ReadingPane";
import { AnswerView } from "./AnswerView";
import { stagesOf, type Run } from "./run";

/** What the pane shows: one of the answer's citations, or a passage picked from the flow. */
type Reading = { kind: "citation"; index: number } | { kind: "passage"; passage: Passage };

export function RunView({ run, onRetry }: { run: Run; onRetry?: () => void }) {
  const stages = useMemo(() => stagesOf(run), [run.plan, run.results, run.phase]);
  const [reading, setReading] = useState<Reading | null>(null);
  const citations = run.answer?.citations ?? [];

  useEffect(() => setReading(null), [run.question, run.phase === "running"]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && run.phase !== "running") setReading(null);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [run.phase]);

  const openCitation = (n: number): void => {
    const index = citations.findIndex((citation) => citation.n === n);
    if (index >= 0) setReading({ kind: "citation", index });
  };
  const cited = reading?.kind === "citation" ? citations[reading.index] : undefined;
  const passage = cited ? passageOfCitation(cited) : reading?.kind === "passage" ? reading.passage : null;
  const step = (by: number): void => {
    if (reading?.kind !== "citation" || citations.length === 0) return;
    setReading({ kind: "citation", index: (reading.index + by + citations.length) % citations.length });
  };

  return (
    <>
      <Pipeline stages={stages} plan={run.plan} />
      <div class={passage ? "beside open" : "beside"}>
        <AnswerView run={run} openN={cited?.n ?? null} onCite={openCitation} {...(onRetry ? { onRetry } : {})} />
        {passage ? (
          <ReadingPane
            passage={passage}
            position={reading?.kind === "citation" ? `Citation ${reading.index + 1} of ${citations.length}` : "Passage"}
            {...(reading?.kind === "citation" && citations.length > 1 ? { onStep: step } : {})}
            onClose={() => setReading(null)}
          />
        ) : null}
      </div>
      <RankFlow
        stages={stages}
        onOpen={(candidate) => setReading({ kind: "passage", passage: passageOfCandidate(candidate) })}
      />
    </>
  );
}
