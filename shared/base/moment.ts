/** `21 November 2026 at 14:05 UTC`, the same for every reader. `unixMs` in milliseconds. */
export function printMoment(unixMs: number): string {
  return `${moment.format(unixMs)} UTC`;
}

const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** `21 November 2026`, of the same time zone. */
export function printDay(unixMs: number): string {
  return day.format(unixMs);
}

/** `24 Nov`. */
export function printDayOfYear(unixMs: number): string {
  return dayOfYear.format(unixMs);
}

const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const day = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
});
