/** What can be opened beside an answer? A span of a document, with the words that say where it is. */
import type { Candidate, Citation } from "../api/types";

export interface Passage {
  documentId: string;
  start: number;
  end: number;
  title: string;
  section: string[];
  pageLabel: string | null;
  pageNumber: number | null;
}

export function passageOfCitation(citation: Citation): Passage {
  return {
    documentId: citation.document_id,
    start: citation.start,
    end: citation.end,
    title: citation.title,
    section: citation.section ?? [],
    pageLabel: citation.page_label,
    pageNumber: citation.page_number,
  };
}

export function passageOfCandidate({ span, source }: Candidate): Passage {
  return {
    documentId: span.document_id,
    start: span.start,
    end: span.end,
    title: source.title || source.file_name,
    section: source.section ?? [],
    pageLabel: source.page_label,
    pageNumber: source.page_number,
  };
}
