import type { OperatingPoint } from '../../../../shared/kinds/comparison/load-profile.ts';
import { Notice } from '../../../components/card.tsx';

export function EmptyFigure({ children }: { children: string }) {
  return (
    <Notice tone="quiet">
      <p>{children}</p>
    </Notice>
  );
}

/** Where a metric was read from. */
export function pointOf(
  points: readonly OperatingPoint[],
  kinds: ReadonlySet<OperatingPoint>,
): OperatingPoint {
  return points.find((point) => kinds.has(point)) ?? 'steady';
}
