import { printQuantity, scaleFor } from '../../../../shared/base/quantity.ts';
import { type Metric, metrics } from '../../../../shared/kinds/comparison/metric.ts';
import { Badge } from '../../../components/badge.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { Section } from '../../../components/section.tsx';
import { printCount } from '../../../format/count.ts';
import type { Sides } from '../../../format/side.ts';
import type { LiveFigures } from './live-figures.ts';

type Row = { metric: Metric; baseline: string; comparison: string };

type Props = { figures: Pick<LiveFigures, 'medians' | 'blocks'>; sides: Sides };

export function LiveMedians({ figures: { medians, blocks }, sides }: Props) {
  return (
    <Section
      id="medians"
      title="Medians so far"
      lead={
        <>
          <Badge tone="warn">Provisional</Badge> Of{' '}
          <span data-testid="blocks-so-far">{printCount(blocks.length, 'block')}</span>. They still move;
          their difference is judged at the end.
        </>
      }
      card="flush"
    >
      <DataTable
        caption="Provisional medians of both sides"
        testId="live-medians"
        rows={rowsOf(medians)}
        keyOf={({ metric }) => metric.id}
        columns={[
          { label: 'Metric', cell: ({ metric }) => metric.title },
          { label: sides.baseline.label, cell: ({ baseline }) => baseline },
          { label: sides.comparison.label, cell: ({ comparison }) => comparison },
        ]}
      />
    </Section>
  );
}

function rowsOf(medians: LiveFigures['medians']): Row[] {
  return metrics.flatMap((metric) => {
    const pair = medians[metric.id];
    if (pair === undefined) return [];
    const { baseline, comparison } = pair;
    const values = [baseline, comparison].filter((value) => value !== null);
    const scale = scaleFor(
      metric.unit,
      values,
      baseline === null || comparison === null ? [] : [comparison - baseline],
    );
    const print = (value: number | null) => (value === null ? '–' : printQuantity(value, scale));
    return [{ metric, baseline: print(baseline), comparison: print(comparison) }];
  });
}
