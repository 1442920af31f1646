import { useEffect } from 'react';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import type { ProgressEvent } from '../../../../shared/measurement/measurement.ts';
import { errorTable } from '../../../../shared/report/run-report.ts';
import { leftOutOf } from '../../../../shared/words/drop-advice.ts';
import { Section } from '../../../components/section.tsx';
import { ReportTable } from '../../../components/sections.tsx';
import { loadXyChart } from '../../../components/xy-figure.tsx';
import { sidesOf } from '../../../format/side.ts';
import classes from '../run.module.css';
import { LiveChart } from './live-chart.tsx';
import type { LiveBlock } from './live-figures.ts';
import { type LiveFigures, plannedBlocks } from './live-figures.ts';
import { LiveInterval } from './live-interval.tsx';
import { LiveMedians } from './live-medians.tsx';

type Props = { document: ShownRun; figures: LiveFigures; counts: ProgressEvent['counts'] };

export function LiveBlocks({ document, figures, counts }: Props) {
  const { errors, blocks } = figures;
  // While nothing is measured yet: to load it takes a core for a moment. If it cannot be loaded, the chart says so.
  useEffect(() => void loadXyChart().catch(() => {}), []);
  const sides = sidesOf(document.sides);
  const planned = Math.max(blocks.length, plannedBlocks(document.plan, counts));
  return (
    <>
      {errors.length === 0 ? null : (
        <Section id="errors" title="Errors so far" card="flush">
          <ReportTable of={errorTable(errors)} name="Errors by kind" />
        </Section>
      )}
      <LiveInterval figures={figures} sides={sides} />
      {blocks.length === 0 ? null : (
        <div>
          <LiveMedians blocks={blocks} sides={sides} />
          <div>
            <LiveChart blocks={blocks} planned={planned} sides={sides} />
            <BlockLog blocks={blocks} />
          </div>
        </div>
      )}
    </>
  );
}

/** Only the blocks that do not count for every metric, each with its sentences. */
function BlockLog({ blocks }: { blocks: readonly LiveBlock[] }) {
  const spoiled = blocks.filter(({ reasons }) => reasons.length > 0);
  if (spoiled.length === 0) return null;
  return (
    <Section id="dropped" title="Blocks left out so far, all or in part" card>
      <ul className={classes.log}>
        {spoiled.map(({ index, reasons }) => (
          <li key={index}>
            <strong>Block {index + 1}</strong> (left out of {leftOutOf(reasons)}){' '}
            {reasons.map(({ message }) => message).join(' ')}
          </li>
        ))}
      </ul>
    </Section>
  );
}
