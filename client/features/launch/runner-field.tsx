import { useQuery } from '@tanstack/react-query';
import { hasLabels, isHere, labelChoices, printLabels } from '../../../shared/runner-labels.ts';
import { limitsQuery } from '../../api/queries.ts';
import { runnersQuery } from '../../api/runners-query.ts';
import { ChoicePills } from '../../components/choice-pills.tsx';
import type { LaunchForm, SetField } from './form-shape.ts';
import classes from './launch-card.module.css';

type Props = { form: LaunchForm; set: SetField };

const any = '';

/** Where to measure: what runners that are here offer. Nothing where there is no choice. */
export function RunnerField({ form: { labels }, set }: Props) {
  const limits = useQuery(limitsQuery);
  // A server that measures alone has none to ask for.
  const { data } = useQuery({ ...runnersQuery, enabled: limits.data?.runners === true });
  if (data === undefined) return null;
  const runners = data.runners ?? [];
  const offered = new Map(labelChoices(runners));
  // What was chosen earlier stays, so that it can be let go.
  const names = [...new Set([...offered.keys(), ...Object.keys(labels)])];
  if (names.length === 0) return null;
  const fits = runners.some((runner) => isHere(runner) && hasLabels(runner.labels, labels));
  const choose = (name: string, value: string) => {
    const { [name]: _, ...others } = labels;
    set({ labels: value === any ? others : { ...others, [name]: value } });
  };
  return (
    <div className={classes.stack}>
      {names.map((name) => (
        <ChoicePills
          key={name}
          legend={`Runner’s ${name}`}
          legendShown
          name={`label-${name}`}
          value={labels[name] ?? any}
          onChange={(value) => choose(name, value)}
          choices={[
            { value: any, label: 'Any' },
            ...valuesOf(offered.get(name), labels[name]).map((value) => ({ value, label: value })),
          ]}
        />
      ))}
      {fits ? null : (
        <p className={classes.hint} role="status">
          No runner with {printLabels(labels)} is connected.
        </p>
      )}
    </div>
  );
}

function valuesOf(offered: readonly string[] = [], chosen?: string): string[] {
  return [...new Set([...offered, ...(chosen === undefined ? [] : [chosen])])];
}
