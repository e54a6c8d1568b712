/** How do the gateway's offsets (Unicode code points) meet JavaScript's strings (UTF-16)? */

/** Number of code points; a lone surrogate counts as one, as it does in the gateway. */
export function codePointLength(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** UTF-16 index of the code point at `offset`; offsets beyond either end are moved to it. */
export function utf16Index(text: string, offset: number): number {
  let index = 0;
  for (let passed = 0; passed < offset && index < text.length; passed += 1) {
    const code = text.codePointAt(index) ?? 0;
    index += code > 0xffff ? 2 : 1;
  }
  return index;
}

export interface Marked {
  before: string;
  marked: string;
  after: string;
}

/** A window of text, which begins at code point `windowStart`, cut around the span [start, end). */
export function cutAround(text: string, windowStart: number, start: number, end: number): Marked {
  const from = utf16Index(text, Math.max(0, start - windowStart));
  const to = Math.max(from, utf16Index(text, Math.max(0, end - windowStart)));
  return { before: text.slice(0, from), marked: text.slice(from, to), after: text.slice(to) };
}
