/** How are files and web pages handed over? By dropping, choosing, or their address. */
import { useRef, useState } from "preact/hooks";

interface Props {
  onFiles: (files: Iterable<File>) => void;
  onAddress: (url: string) => void;
}

export function AddDocuments({ onFiles, onAddress }: Props) {
  const [over, setOver] = useState(false);
  const [address, setAddress] = useState("");
  const input = useRef<HTMLInputElement>(null);
  return (
    <section
      class={over ? "drop over" : "drop"}
      aria-label="Add documents"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles(event.dataTransfer?.files ?? []);
      }}
    >
      <div>
        <h2>Add documents</h2>
        <p>Drop files anywhere in this box. PDF, Word, Markdown, HTML, CSV and plain text are read.</p>
      </div>
      <div class="drop-ways">
        <button type="button" class="button primary" onClick={() => input.current?.click()}>
          Choose files
        </button>
        <input
          ref={input}
          type="file"
          multiple
          class="file-input"
          aria-label="Files to add"
          tabIndex={-1}
          onChange={(event) => {
            onFiles([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (address.trim() === "") return;
            onAddress(address.trim());
            setAddress("");
          }}
        >
          <input
            type="text"
            inputMode="url"
            value={address}
            placeholder="or a web page: https://"
            aria-label="Address of a web page"
            onInput={(event) => setAddress(event.currentTarget.value)}
          />
          <button type="submit" class="button">
            Add
          </button>
        </form>
      </div>
    </section>
  );
}
