/** What is this passage, and what did every stage say of it? */
import type { Candidate, Evidence } from "../api/types";
import type { StageView } from "../ask/run";
import { page, score, scoreType, section } from "../shell/format";

interface Props {
  candidate: Candidate;
  stages: StageView[];
  /** False while it only stands in for a passage that nobody has pointed at. */
  chosen: boolean;
  onOpen: (candidate: Candidate) => void;
  onLeave: () => void;
}

export function PassageCard({ candidate, stages, chosen, onOpen, onLeave }: Props) {
  const { source, text } = candidate;
  const titles = new Map(stages.map((stage) => [stage.id, stage.title]));
  const where = [section(source?.section, source?.title), page(source?.page_label || null, source?.page_number)];
  return (
    <aside class={chosen ? "card chosen" : "card"} aria-label="Passage">
      <h3>{source?.title || source?.file_name || candidate.chunk_id}</h3>
      <p class="where">{where.filter(Boolean).join(" · ") || source?.file_name}</p>
      {text ? <p class="card-text">{text.replace(/\n\s*\n/g, "\n")}</p> : <p class="card-text none">Its text has not been fetched.</p>}
      <table>
        <tbody>
          {(candidate.evidence ?? []).map((evidence) => (
            <EvidenceRow key={evidence.stage} evidence={evidence} titles={titles} />
          ))}
        </tbody>
      </table>
      <p class="card-foot">
        <button type="button" class="button small" onClick={() => onOpen(candidate)}>
          Open in the document
        </button>
        {chosen ? (
          <button type="button" class="button small quiet" onClick={onLeave}>
            Leave it
          </button>
        ) : (
          <span>Point at a passage to follow it</span>
        )}
      </p>
    </aside>
  );
}

function EvidenceRow({ evidence, titles }: { evidence: Evidence; titles: ReadonlyMap<string, string> }) {
  const parts = evidence.parts ?? [];
  const largest = Math.max(...parts.map((part) => Math.abs(part.value)), 0);
  return (
    <>
      <tr>
        <th scope="row">{titles.get(evidence.stage) ?? evidence.stage}</th>
        <td class="num">#{evidence.rank}</td>
        <td class="num">
          {score(evidence.score)} <small>{scoreType(evidence.score_type)}</small>
        </td>
      </tr>
      {parts.length > 0 ? (
        <tr class="parts">
          <td colSpan={3}>
            {parts.map((part, at) => (
              <span key={at} class="part">
                <span class="part-label">{titles.get(part.label) ?? part.label}</span>
                <span class="part-bar">
                  <span style={{ width: `${largest > 0 ? (100 * Math.abs(part.value)) / largest : 0}%` }} />
                </span>
                <span class="num">{score(part.value)}</span>
              </span>
            ))}
          </td>
        </tr>
      ) : null}
    </>
  );
}
