/** Where is every file that was just handed over? */
import { isOver, type Upload } from "./upload";
import type { Uploads } from "./useUploads";

export function UploadList({ uploads: { items, forgetFinished } }: { uploads: Uploads }) {
  if (items.length === 0) return null;
  const over = items.filter(isOver).length;
  return (
    <section class="uploads" aria-label="Uploads">
      <header>
        <h2>
          {over} of {items.length} finished
        </h2>
        {over > 0 ? (
          <button type="button" class="button small" onClick={forgetFinished}>
            Clear finished
          </button>
        ) : null}
      </header>
      <ul>
        {items.map((upload) => (
          <UploadRow key={upload.key} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

function UploadRow({ upload }: { upload: Upload }) {
  const { name, phase, progress, words, requestId } = upload;
  return (
    <li class={`upload ${phase}`}>
      <span class="upload-name">{name}</span>
      <span class="upload-words">
        {words}
        {requestId ? (
          <small>
            {" "}
            Request <code>{requestId}</code>
          </small>
        ) : null}
      </span>
      {phase === "working" || phase === "sending" ? (
        <progress max={1} value={phase === "sending" ? undefined : progress} aria-label={`Progress of ${name}`} />
      ) : null}
    </li>
  );
}
