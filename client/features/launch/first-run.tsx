import type { PresetCard } from '../../../shared/api/server-endpoints.ts';
import { problemOf } from '../../api/problem-of.ts';
import { useCreateMeasurement } from '../../api/use-create-measurement.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { printDuration } from '../../format/duration.ts';
import classes from './first-run.module.css';

/** Nothing was measured yet: one click from an empty database to a verdict. */
export function FirstRun({ quick }: { quick: PresetCard | undefined }) {
  const launch = useCreateMeasurement();
  return (
    <section className={classes.first} aria-label="First run">
      <div>
        <h2>See it on the built-in storefront</h2>
        <p>A small shop with a database. About {printDuration(quick?.expectedS ?? 30)}.</p>
      </div>
      <ActionButton
        size="lg"
        pending={launch.isPending}
        onClick={() => launch.mutate({ kind: 'comparison', preset: 'quick' })}
      >
        Run the storefront now
      </ActionButton>
      {launch.error === null ? null : <ProblemNotice problem={problemOf(launch.error)} />}
    </section>
  );
}
