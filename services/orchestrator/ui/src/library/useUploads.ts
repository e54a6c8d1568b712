/** How do many files get in at once without crowding the server, and where is each of them? */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { addUrl, getDocument, uploadFile, watchJob } from "../api/client";
import { asProblem } from "../api/problem";
import type { UploadResult } from "../api/types";
import { accepted, described, isOver, newUpload, refused, sending, worked, type Upload } from "./upload";

const AT_ONCE = 3;

export interface Uploads {
  items: Upload[];
  /** Rises whenever a document may have changed, so that lists know to look again. */
  changes: number;
  addFiles: (files: Iterable<File>) => void;
  addAddress: (url: string) => void;
  forgetFinished: () => void;
}

interface Task {
  upload: Upload;
  send: () => Promise<UploadResult>;
}

export function useUploads(): Uploads {
  const [items, setItems] = useState<Upload[]>([]);
  const [changes, setChanges] = useState(0);
  const queue = useRef<Task[]>([]);
  const active = useRef(0);
  const nextKey = useRef(1);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);

  const show = useCallback((upload: Upload) => {
    setItems((known) => known.map((item) => (item.key === upload.key ? upload : item)));
  }, []);

  const work = useCallback(async ({ upload, send }: Task) => {
    let current = upload;
    const step = (next: Upload): void => show((current = next));
    try {
      step(sending(current));
      const result = await send();
      step(accepted(current, result));
      setChanges((n) => n + 1);
      if (current.phase === "working" && result.job_id) {
        for await (const job of watchJob(result.job_id, leaving.current.signal)) step(worked(current, job));
      }
      if (current.phase === "done" && result.id) step(described(current, await getDocument(result.id)));
    } catch (error) {
      if (!isOver(current)) step(refused(current, asProblem(error)));
    } finally {
      setChanges((n) => n + 1);
    }
  }, []);

  const pump = useCallback(() => {
    while (active.current < AT_ONCE) {
      const task = queue.current.shift();
      if (!task) return;
      active.current += 1;
      void work(task).finally(() => {
        active.current -= 1;
        pump();
      });
    }
  }, []);

  const add = useCallback((name: string, send: () => Promise<UploadResult>) => {
    const upload = newUpload(nextKey.current, name);
    nextKey.current += 1;
    queue.current.push({ upload, send });
    setItems((known) => [upload, ...known]);
  }, []);

  return {
    items,
    changes,
    addFiles: (files) => {
      for (const file of files) add(file.name, () => uploadFile(file));
      pump();
    },
    addAddress: (url) => {
      add(url, () => addUrl(url));
      pump();
    },
    forgetFinished: () => setItems((known) => known.filter((item) => !isOver(item))),
  };
}
