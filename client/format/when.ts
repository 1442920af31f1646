const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** `21 Nov 2026, 14:05`, in the reader's time zone. `unixMs` in milliseconds. */
export function printWhen(unixMs: number): string {
  return moment.format(unixMs);
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** `14:05`, for what stands below its day. */
export function printClock(unixMs: number): string {
  return clock.format(unixMs);
}

/** `just now`, `5 min ago`, `3 h ago`, then the date. */
export function printAgo(unixMs: number, nowMs: number): string {
  const minutes = Math.floor((nowMs - unixMs) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return printWhen(unixMs);
}
