import { type LineTerms, recordBytes, timeAt } from '../../../shared/kinds/sizes/size-line.ts';

/**
 * The smallest document from which on `secure` takes less than (1 + share) times what `plain` takes, within the measured
 * sizes; NaN when that is so from no size on. Between two steps of records the difference of both is linear in the size,
 * so its sign at the ends tells.
 * @param from smallest measured size in bytes
 * @param to largest
 */
export function crossoverSize(
  plain: LineTerms,
  secure: LineTerms,
  share: number,
  { from, to }: { from: number; to: number },
): number {
  const over = (size: number) => timeAt(secure, size) - (1 + share) * timeAt(plain, size);
  const step = secure.recordUs === null ? to : recordBytes;
  let below = Number.NaN;
  for (let end = to; end >= from; end = start(end, step) - 1) {
    const begin = Math.max(from, start(end, step));
    const [atBegin, atEnd] = [over(begin), over(end)];
    if (!(atEnd < 0)) return below;
    if (atBegin >= 0) return begin + ((end - begin) * atBegin) / (atBegin - atEnd);
    below = begin;
  }
  return below;
}

/** First size with as many records. */
function start(size: number, step: number): number {
  return step * (Math.ceil(size / step) - 1) + 1;
}
