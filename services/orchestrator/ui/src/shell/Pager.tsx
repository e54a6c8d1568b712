/** Which part of a long list is shown? */
interface Props {
  offset: number;
  limit: number;
  total: number;
  onMove: (offset: number) => void;
}

export function Pager({ offset, limit, total, onMove }: Props) {
  if (total <= limit) return null;
  const last = Math.min(total, offset + limit);
  return (
    <nav class="pager" aria-label="Pages of the list">
      <button type="button" class="button small" disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - limit))}>
        Back
      </button>
      <span>
        {offset + 1} to {last} of {total.toLocaleString("en")}
      </span>
      <button type="button" class="button small" disabled={last >= total} onClick={() => onMove(offset + limit)}>
        Further
      </button>
    </nav>
  );
}
