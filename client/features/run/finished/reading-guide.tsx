import { Fragment } from 'react';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { Fold } from '../../../components/fold.tsx';
import classes from '../run.module.css';
import { termsOf } from './terms.ts';

export function ReadingGuide({ plan }: Pick<ShownRun, 'plan'>) {
  return (
    <Fold id="how-to-read" title="How to read the numbers">
      <dl className={classes.guide}>
        {termsOf(plan).map(([term, meaning]) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd>{meaning}</dd>
          </Fragment>
        ))}
      </dl>
    </Fold>
  );
}
