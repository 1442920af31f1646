import { printNumber, printShare } from '../../../../shared/base/quantity.ts';

/** `8 full`, `120 full and 480 resumed (80 %)`. */
export function handshakesInWords({ full, resumed }: { full: number; resumed: number }): string {
  if (resumed === 0) return `${printNumber(full, 0)} full`;
  const share = printShare(resumed / (full + resumed));
  return `${printNumber(full, 0)} full and ${printNumber(resumed, 0)} resumed (${share})`;
}
