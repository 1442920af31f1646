/** `40 s`, `1 min 20 s`, `10 min`, `1 h 5 min`. */
export function printDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return joinParts(Math.floor(whole / 60), 'min', whole % 60, 's');
  const minutes = Math.round(whole / 60);
  return joinParts(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

/** Time still to go, as rough as the guess it is: `about 40 s left`. */
export function printTimeLeft(seconds: number): string {
  if (seconds < 3) return 'a moment left';
  if (seconds < 20) return `about ${Math.round(seconds)} s left`;
  if (seconds < 90) return `about ${Math.round(seconds / 5) * 5} s left`;
  return `about ${Math.round(seconds / 60)} min left`;
}

/** `30 s`, or `1 min 30 s, at most 3 min` for a run that may stop early. */
export function printExpectation(expectedS: number, maximumS: number): string {
  const expected = printDuration(expectedS);
  return maximumS <= expectedS * 1.25 ? expected : `${expected}, at most ${printDuration(maximumS)}`;
}

function joinParts(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
