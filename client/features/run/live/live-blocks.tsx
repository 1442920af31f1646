import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import type { ProgressEvent } from '../../../../shared/measurement/measurement.ts';
import { Card } from '../../../components/card.tsx';
import { Section } from '../../../components/section.tsx';
import { sidesOf } from '../../../format/side.ts';
import { ErrorTable } from '../error-table.tsx';
import { BlockLog } from './block-log.tsx';
import classes from './live-blocks.module.css';
import { LiveChart } from './live-chart.tsx';
import { type LiveFigures, plannedBlocks } from './live-figures.ts';
import { LiveIntervals } from './live-intervals.tsx';
import { LiveMedians } from './live-medians.tsx';

type Props = { document: ShownRun; figures: LiveFigures; counts: ProgressEvent['counts'] };

/** Errors, intervals, medians and blocks so far. */
export function LiveBlocks({ document, figures, counts }: Props) {
  const { errors, blocks } = figures;
  const sides = sidesOf(document.sides);
  const planned = Math.max(blocks.length, plannedBlocks(document.plan, counts));
  return (
    <>
      {errors.length === 0 ? null : (
        <Section id="errors" title="Errors so far">
          <Card flush>
            <ErrorTable groups={errors} />
          </Card>
        </Section>
      )}
      <LiveIntervals figures={figures} sides={sides} />
      {blocks.length === 0 ? null : (
        <div className={classes.news}>
          <LiveMedians figures={figures} sides={sides} />
          <div>
            <LiveChart blocks={blocks} planned={planned} sides={sides} />
            <BlockLog blocks={blocks} />
          </div>
        </div>
      )}
    </>
  );
}
