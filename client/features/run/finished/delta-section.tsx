import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { Card } from '../../../components/card.tsx';
import { Section } from '../../../components/section.tsx';
import { sidesOf } from '../../../format/side.ts';
import type { DeltaGroup } from './delta-rows.ts';
import classes from './delta-section.module.css';
import { DeltaTable } from './delta-table.tsx';
import { Explained } from './explained.tsx';

export function DeltaSection({ document, groups }: { document: ShownRun; groups: readonly DeltaGroup[] }) {
  const { baseline, comparison } = sidesOf(document.sides);
  return (
    <Section
      id="metrics"
      title="Every metric"
      lead={
        <Explained plan={document.plan}>
          {`Means over launches. The shift is ${comparison.label} relative to ${baseline.label}, with its 95 % CI.`}
        </Explained>
      }
    >
      <Card flush>
        <DeltaTable groups={groups} sides={{ baseline, comparison }} observation="Launches" />
      </Card>
      <p className={classes.key}>
        <KeyOfLaunches plan={document.plan} />
      </p>
    </Section>
  );
}

function KeyOfLaunches({ plan }: Pick<ShownRun, 'plan'>) {
  return (
    <>
      <span className={classes.dot} /> one launch (one block where the shift is in bytes){' '}
      <span className={classes.hollow} /> <Explained plan={plan}>its twin</Explained>{' '}
      <span className={classes.bar} /> 95 % CI and center <span className={classes.band} /> CI of the twin.
      The thin line is zero.
    </>
  );
}
