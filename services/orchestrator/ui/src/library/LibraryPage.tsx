/** What can be asked about, and how does more get in? */
import { useCallback, useEffect, useState } from "preact/hooks";
import { listDocuments } from "../api/client";
import { asProblem } from "../api/problem";
import type { DocumentInfo, Problem } from "../api/types";
import { ProblemNotice } from "../shell/Notice";
import { Pager } from "../shell/Pager";
import { count } from "../shell/format";
import { AddDocuments } from "./AddDocuments";
import { DocumentRow } from "./DocumentRow";
import { UploadList } from "./UploadList";
import type { Deletions } from "./useDeletions";
import type { Uploads } from "./useUploads";

const PAGE = 50;
/** While something is being ingested, the list is read again this often. */
const REFRESH_MS = 3000;

export function LibraryPage({ uploads, deletions }: { uploads: Uploads; deletions: Deletions }) {
  const [offset, setOffset] = useState(0);
  const [documents, setDocuments] = useState<DocumentInfo[] | null>(null);
  const [total, setTotal] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);

  const load = useCallback(async () => {
    try {
      const page = await listDocuments(offset, PAGE);
      setDocuments(page.documents);
      setTotal(page.total);
      setProblem(null);
    } catch (error) {
      setProblem(asProblem(error));
    }
  }, [offset]);

  useEffect(() => void load(), [load, uploads.changes, deletions.gone]);
  const unfinished = (documents ?? []).some(({ status }) => status === "queued" || status === "processing");
  useEffect(() => {
    if (!unfinished) return;
    const timer = setInterval(() => void load(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [unfinished, load]);

  const shown = (documents ?? []).filter((document) => !deletions.gone.has(document.id));
  return (
    <div class="library">
      <AddDocuments onFiles={uploads.addFiles} onAddress={uploads.addAddress} />
      <UploadList uploads={uploads} />
      {problem ? <ProblemNotice problem={problem} onRetry={() => void load()} /> : null}
      {documents !== null ? (
        <section aria-label="Documents">
          <h2>{total === 0 ? "No documents yet" : count(total, "document")}</h2>
          {shown.length > 0 ? (
            <ul class="documents">
              {shown.map((document) => (
                <DocumentRow key={document.id} document={document} deletions={deletions} />
              ))}
            </ul>
          ) : null}
          <Pager offset={offset} limit={PAGE} total={total} onMove={setOffset} />
        </section>
      ) : problem ? null : (
        <p class="loading">Reading the list</p>
      )}
    </div>
  );
}
