import { niceTicks } from './nice-ticks.ts';

/** Round ratios between two ratios, about `count` of them: evenly apart as ratios, or as decades and their fifths and halves. */
export function ratioTicks(from: number, to: number, count: number): number[] {
  if (to / from < 4) return niceTicks(from, to, count).filter((ratio) => ratio > 0);
  const first = Math.floor(Math.log10(from));
  const decades = Array.from({ length: Math.ceil(Math.log10(to)) - first + 1 }, (_, index) => first + index);
  const ratios = decades.flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)));
  return ratios.filter((ratio) => ratio >= from && ratio <= to);
}
