/** When a process's arrivals are due. */
export type ArrivalSchedule = {
  /** Of all processes together. */
  ratePerS: number;
  /** Time in which the rate rises linearly from 0. */
  rampMs: number;
  /** In `performance.now()` ms, as is `toMs`. */
  fromMs: number;
  toMs: number;
  /** Every `of`-th arrival is this process's, from the `index`-th on. */
  share: { index: number; of: number };
};

/** When the process's arrival of that number, from 0 on, is due. */
export function dueAtMs(number: number, schedule: ArrivalSchedule): number {
  const { share, fromMs } = schedule;
  return fromMs + dueAfterMs(number * share.of + share.index, schedule);
}

/** When the arrival of that number is due, since the start: on the ramp the area under the rate is the number. */
export function dueAfterMs(
  number: number,
  { ratePerS, rampMs }: Pick<ArrivalSchedule, 'ratePerS' | 'rampMs'>,
): number {
  const perMs = ratePerS / 1000;
  const onRamp = (perMs * rampMs) / 2;
  return number < onRamp ? Math.sqrt((2 * number * rampMs) / perMs) : rampMs / 2 + number / perMs;
}
