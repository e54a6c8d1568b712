/** How is an answer's text drawn? As text nodes and buttons only: what a model or a document wrote is never HTML. */
import { Fragment } from "preact";
import { useMemo } from "preact/hooks";
import { parseAnswer, type Inline } from "./answerText";

interface Props {
  text: string;
  known: (n: number) => boolean;
  openN: number | null;
  onCite: ((n: number) => void) | null;
}

export function Markup({ text, known, openN, onCite }: Props) {
  const blocks = useMemo(() => parseAnswer(text, known), [text, onCite === null]);
  const line = (inlines: Inline[]) =>
    inlines.map((inline, at) => {
      if (inline.kind === "strong") return <strong key={at}>{inline.text}</strong>;
      if (inline.kind === "code") return <code key={at}>{inline.text}</code>;
      if (inline.kind === "text") return <Fragment key={at}>{inline.text}</Fragment>;
      return (
        <button
          key={at}
          type="button"
          class="cite"
          aria-label={`Citation ${inline.n}: open the passage`}
          aria-pressed={openN === inline.n}
          disabled={onCite === null}
          onClick={() => onCite?.(inline.n)}
        >
          {inline.n}
        </button>
      );
    });
  return (
    <>
      {blocks.map((block, at) => {
        if (block.kind === "paragraph") return <p key={at}>{line(block.inlines)}</p>;
        if (block.kind === "heading") return <h3 key={at}>{line(block.inlines)}</h3>;
        if (block.kind === "code") return <pre key={at}>{block.text}</pre>;
        const items = block.items.map((item, index) => <li key={index}>{line(item)}</li>);
        return block.ordered ? <ol key={at}>{items}</ol> : <ul key={at}>{items}</ul>;
      })}
    </>
  );
}
