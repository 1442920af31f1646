import { NativeSelect } from '@mantine/core';
import type { Scenario } from '../../../shared/scenario.ts';
import classes from './launch-card.module.css';
import type { SetField } from './launch-card.tsx';
import type { LaunchForm } from './launch-form.ts';

type Props = { form: LaunchForm; set: SetField; scenarios: Scenario[] | undefined };

export function ScenarioField({ form, set, scenarios }: Props) {
  const chosen = scenarios?.find(({ id }) => id === form.scenario);
  const options = scenarios?.flatMap(({ id, name }) =>
    id === undefined ? [] : [{ value: id, label: name }],
  );
  return (
    <div className={classes.stack}>
      <NativeSelect
        label="Scenario"
        description={chosen?.description === '' ? undefined : chosen?.description}
        value={form.scenario}
        onChange={(event) => set({ scenario: event.currentTarget.value })}
        data={options ?? [{ value: form.scenario, label: 'Search' }]}
      />
      {chosen === undefined ? null : (
        <ol className={classes.steps} aria-label="Steps of one transaction">
          {chosen.steps.map((step) => (
            <li key={step.name}>
              {step.name}
              <code>
                {step.method} {step.path}
              </code>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
