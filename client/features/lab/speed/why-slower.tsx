import { printNumber } from '../../../../shared/base/quantity.ts';
import type { SpeedRow } from '../../../../shared/kinds/speed/speed.ts';

/** The reasons for all that is more than 10 % slower than `openssl speed`. */
export function WhySlower({ rows }: { rows: readonly SpeedRow[] }) {
  const explained = rows.filter(({ explanation }) => explanation !== null);
  if (explained.length === 0) return null;
  return (
    <details>
      <summary>Why some are slower than openssl speed</summary>
      <ul>
        {explained.map(({ id, primitive, operation, bytes, explanation }) => (
          <li key={id}>
            {primitive} {bytes === null ? operation : `${printNumber(bytes, 0)} B`}: {explanation}
          </li>
        ))}
      </ul>
    </details>
  );
}
