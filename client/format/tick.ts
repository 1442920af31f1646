/** A label of an axis of ratios, from the change: `×1.2` for 0.2, `×1`, `×0.5`. */
export function printRatioTick(change: number): string {
  return `×${Number((1 + change).toPrecision(3))}`;
}

/** A label of an axis of changes: `+2.5 %` for 0.025, `0 %`, `−10 %`. As few digits as the tick itself has. */
export function printChangeTick(change: number): string {
  const percent = Number((change * 100).toPrecision(3));
  if (percent === 0) return '0 %';
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`;
}
