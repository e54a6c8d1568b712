/** How is an answer's text read? Into paragraphs, lists and [n] markers, as data and never as HTML. */

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "strong"; text: string }
  | { kind: "code"; text: string }
  | { kind: "cite"; n: number };

export type Block =
  | { kind: "paragraph"; inlines: Inline[] }
  | { kind: "heading"; inlines: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "list"; ordered: boolean; items: Inline[][] };

const INLINE = /\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]|\*\*([^*\n]+)\*\*|`([^`\n]+)`/g;
const BULLET = /^\s*[-*•]\s+(.*)$/;
const NUMBERED = /^\s*\d{1,3}[.)]\s+(.*)$/;
const HEADING = /^#{1,6}\s+(.*)$/;

/** Text, strong, code and citation markers of one stretch; `known` says which numbers are citations. */
export function parseInline(text: string, known: (n: number) => boolean): Inline[] {
  const out: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, numbers, strong, code] = match;
    const piece: Inline[] = [];
    if (numbers !== undefined) {
      const cited = numbers.split(",").map(Number);
      if (!cited.every(known)) continue; // "[1999]" or a number nobody cited stays text
      piece.push(...cited.map((n): Inline => ({ kind: "cite", n })));
    } else if (strong !== undefined) {
      // markers inside bold stay buttons
      for (const inner of parseInline(strong, known)) piece.push(inner.kind === "text" ? { ...inner, kind: "strong" } : inner);
    } else if (code !== undefined) piece.push({ kind: "code", text: code });
    if (match.index > at) out.push({ kind: "text", text: text.slice(at, match.index) });
    out.push(...piece);
    at = match.index + whole.length;
  }
  if (at < text.length) out.push({ kind: "text", text: text.slice(at) });
  return out;
}

/** Blocks of an answer. Unfinished text (while streaming) is read as far as it goes. */
export function parseAnswer(text: string, known: (n: number) => boolean): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  let fence: string[] | null = null;
  const flush = (): void => {
    if (paragraph.length > 0) blocks.push({ kind: "paragraph", inlines: parseInline(paragraph.join("\n"), known) });
    paragraph = [];
  };
  for (const line of text.split("\n")) {
    if (line.trimStart().startsWith("```")) {
      if (fence) blocks.push({ kind: "code", text: fence.join("\n") });
      else flush();
      fence = fence ? null : [];
      continue;
    }
    if (fence) {
      fence.push(line);
      continue;
    }
    const bullet = BULLET.exec(line);
    const item = bullet ?? NUMBERED.exec(line);
    const heading = HEADING.exec(line);
    if (item) {
      flush();
      const inlines = parseInline(item[1] ?? "", known);
      const last = blocks.at(-1);
      if (last?.kind === "list" && last.ordered === !bullet) last.items.push(inlines);
      else blocks.push({ kind: "list", ordered: !bullet, items: [inlines] });
    } else if (heading) {
      flush();
      blocks.push({ kind: "heading", inlines: parseInline(heading[1] ?? "", known) });
    } else if (line.trim() === "") flush();
    else paragraph.push(line);
  }
  if (fence) blocks.push({ kind: "code", text: fence.join("\n") });
  flush();
  return blocks;
}
