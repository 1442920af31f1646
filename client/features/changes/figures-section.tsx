import { NativeSelect } from '@mantine/core';
import { type MetricId, metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { RunChanges } from '../../../shared/kinds/comparison/result-changes.ts';
import { printOverhead, wordOfChange } from '../../../shared/words/change-words.ts';
import { Card } from '../../components/card.tsx';
import { Section } from '../../components/section.tsx';
import { useAddress } from '../../components/use-address.ts';
import { sidesOf } from '../../format/side.ts';
import { BothResults, changeAxis } from './both-results.tsx';
import classes from './changes.module.css';
import { type Drawable, drawableOf, launchRows, primaryOf, rowsOfBoth } from './interval-view.ts';

const overheads = changeAxis('Overhead');

export function FiguresSection({ changes }: { changes: RunChanges }) {
  const drawable = drawableOf(changes.metrics);
  const first = drawable[0];
  if (first === undefined) return null;
  const primary = primaryOf(drawable);
  return (
    <Section id="charts" title="Side by side">
      {primary.length === 0 ? null : (
        <Card>
          <BothResults
            axis={overheads}
            look={lookOf(changes)}
            rows={rowsOfBoth(primary)}
            caption={`Overheads in both results. ${changesInWords(primary)}.`}
            marks="Bars are 95 % CIs."
          />
        </Card>
      )}
      <Card>
        <Launches changes={changes} drawable={drawable} usual={first.id} />
      </Card>
    </Section>
  );
}

function lookOf({ to }: RunChanges) {
  return sidesOf(to.sides).comparison;
}

function changesInWords(rows: readonly Drawable[]): string {
  return rows.map((row) => `${metricOf(row.id).title}: ${wordOfChange(row).toLowerCase()}`).join('; ');
}

type LaunchesProps = { changes: RunChanges; drawable: readonly Drawable[]; usual: MetricId };

function Launches({ changes, drawable, usual }: LaunchesProps) {
  const ids = drawable.map(({ id }) => id);
  const [metric, choose] = useAddress<MetricId>(
    'm',
    ids,
    ids.includes('cpu_at_load') ? 'cpu_at_load' : usual,
  );
  const row = drawable.find(({ id }) => id === metric);
  if (row === undefined) return null;
  return (
    <>
      <div className={classes.choice}>
        <NativeSelect
          label="Metric"
          value={metric}
          onChange={(event) => choose(event.currentTarget.value as MetricId)}
          data={ids.map((id) => ({ value: id, label: metricOf(id).title }))}
        />
      </div>
      <BothResults
        axis={overheads}
        look={lookOf(changes)}
        rows={launchRows(row)}
        caption={`${metricOf(metric).title} launch by launch: ${printOverhead(row.from)} in the first result, ${printOverhead(row.to)} in the second.`}
        marks="Bars are 95 % CIs. The bar of a launch covers the variation within that launch. Hollow circles are the twin."
      />
    </>
  );
}
