/** What could be asked of the documents that are here? */
import { useEffect, useState } from "preact/hooks";
import { listDocuments, listSections } from "../api/client";
import type { DocumentInfo } from "../api/types";
import { count } from "../shell/format";

const MOST = 4;

/** A heading that asks, or a question made from the title and a heading that says more than the title. */
export function exampleQuestion(title: string, headings: readonly string[]): string {
  const asking = headings.find((text) => /^\p{Lu}.{8,90}\?$/u.test(text));
  if (asking) return asking;
  const heading = headings.find(
    (text) => text.length >= 6 && text.length <= 70 && /\p{L}{3}/u.test(text) && text !== title,
  );
  return heading && title.length <= 50 ? `What does ${title} say about “${heading}”?` : `What is ${title} about?`;
}

export function Examples({ onPick }: { onPick: (question: string) => void }) {
  const [documents, setDocuments] = useState<DocumentInfo[] | null>(null);
  const [total, setTotal] = useState(0);
  const [questions, setQuestions] = useState<string[]>([]);

  useEffect(() => {
    let stopped = false;
    void (async () => {
      const found = await listDocuments(0, 20);
      if (stopped) return;
      setTotal(found.total);
      setDocuments(found.documents);
      const ready = found.documents.filter((document) => document.status === "ready").slice(0, MOST);
      const made = await Promise.all(
        ready.map(async (document) => exampleQuestion(document.title || document.name, await listSections(document.id).catch(() => []))),
      );
      if (!stopped) setQuestions(made);
    })().catch(() => !stopped && setDocuments(null));
    return () => {
      stopped = true;
    };
  }, []);

  if (documents === null) return null;
  if (total === 0) {
    return (
      <p class="first-step">
        The library is empty. <a href="#/library">Add documents</a> and ask about them as soon as they are ready.
      </p>
    );
  }
  return (
    <div class="examples">
      {questions.map((question) => (
        <button key={question} type="button" class="chip" onClick={() => onPick(question)}>
          {question}
        </button>
      ))}
      <p>
        <a href="#/library">{count(total, "document")}</a> in the library.{" "}
        <span class="keys">
          Press <kbd>/</kbd> to type, <kbd>Enter</kbd> to ask, <kbd>Esc</kbd> to stop.
        </span>
      </p>
    </div>
  );
}
