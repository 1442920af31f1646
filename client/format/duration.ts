/** `40 s`, `1 min 20 s`, `10 min`, `1 h 5 min`. */
export function printDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return joinParts(Math.floor(whole / 60), 'min', whole % 60, 's');
  const minutes = Math.round(whole / 60);
  return joinParts(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

/** Time still to go: `about 41 s left`, `about 3 min 20 s left`. Finer the nearer the end, so that it is seen to fall. */
export function printTimeLeft(seconds: number): string {
  if (seconds < 3) return 'a moment left';
  const step = seconds < 90 ? 1 : seconds < 600 ? 5 : 60;
  return `about ${printDuration(Math.round(seconds / step) * step)} left`;
}

function joinParts(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
