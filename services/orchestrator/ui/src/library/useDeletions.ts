/** How is a deletion taken back? It waits a few seconds before it is asked of the server. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { deleteDocument } from "../api/client";
import { asProblem } from "../api/problem";
import type { Problem } from "../api/types";

export const UNDO_MS = 5000;

export interface Deletions {
  /** Documents whose deletion can still be taken back. */
  waiting: ReadonlySet<string>;
  gone: ReadonlySet<string>;
  problems: ReadonlyMap<string, Problem>;
  remove: (documentId: string) => void;
  undo: (documentId: string) => void;
}

export function useDeletions(): Deletions {
  const [waiting, setWaiting] = useState<ReadonlySet<string>>(new Set());
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [problems, setProblems] = useState<ReadonlyMap<string, Problem>>(new Map());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  useEffect(() => () => timers.current.forEach((timer) => clearTimeout(timer)), []);

  const undo = useCallback((id: string) => {
    clearTimeout(timers.current.get(id));
    timers.current.delete(id);
    setWaiting((known) => without(known, id));
  }, []);

  const remove = useCallback((id: string) => {
    setProblems((known) => new Map([...known].filter(([key]) => key !== id)));
    setWaiting((known) => new Set([...known, id]));
    timers.current.set(
      id,
      setTimeout(() => {
        timers.current.delete(id);
        deleteDocument(id).then(
          () => setGone((known) => new Set([...known, id])),
          (error: unknown) => setProblems((known) => new Map([...known, [id, asProblem(error)]])),
        ).finally(() => setWaiting((known) => without(known, id)));
      }, UNDO_MS),
    );
  }, []);

  return { waiting, gone, problems, remove, undo };
}

function without(known: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...known].filter((other) => other !== id));
}
