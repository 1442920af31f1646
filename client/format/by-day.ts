type Day<Item> = { key: string; title: string; isToday: boolean; items: Item[] };

const dayMs = 24 * 60 * 60_000;

const named = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** Items of a list by their days in the reader's time zone, in the order of the list. Times in milliseconds. */
export function groupByDay<Item extends { createdAt: number }>(
  items: readonly Item[],
  nowMs: number,
): Day<Item>[] {
  const today = keyOf(nowMs);
  // Noon, as a day may be an hour shorter.
  const yesterday = keyOf(new Date(nowMs).setHours(12, 0, 0, 0) - dayMs);
  const titles = new Map([
    [today, 'Today'],
    [yesterday, 'Yesterday'],
  ]);
  const days = Map.groupBy(items, ({ createdAt }) => keyOf(createdAt));
  return [...days].map(([key, of]) => ({
    key,
    title: titles.get(key) ?? named.format(of[0]?.createdAt),
    isToday: key === today,
    items: of,
  }));
}

function keyOf(unixMs: number): string {
  const date = new Date(unixMs);
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}
