import { type BySide, sideNames } from '../../shared/base/transport.ts';
import type { Sides } from '../format/side.ts';
import { Badge } from './badge.tsx';
import { TableSection } from './table-section.tsx';

type Props = {
  /** What they are of, such as `12 blocks`. */
  of: string;
  /** Over the first column. */
  head: string;
  sides: Sides;
  rows: readonly ({ name: string } & BySide<string>)[];
};

/** Live medians of a running measurement. They still move, so nothing is said of their difference. */
export function MediansSoFar({ of, head, sides, rows }: Props) {
  return (
    <TableSection
      id="medians"
      title="Medians so far"
      lead={
        <>
          <Badge tone="warn">Provisional</Badge> Of <span data-testid="counted-so-far">{of}</span>. They still
          move; their difference is judged at the end.
        </>
      }
      caption="Provisional medians of both sides"
      testId="live-medians"
      narrow="cards"
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { label: head, cell: ({ name }) => name },
        ...sideNames.map((side) => ({
          label: sides[side].label,
          cell: (row: Props['rows'][number]) => row[side],
        })),
      ]}
    />
  );
}
