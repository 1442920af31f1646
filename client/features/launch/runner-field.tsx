import { useQuery } from '@tanstack/react-query';
import { hasLabels, isHere, labelChoices, printLabels } from '../../../shared/measurement/runner-labels.ts';
import { limitsQuery } from '../../api/queries.ts';
import { runnersQuery } from '../../api/runners-query.ts';
import { CheckPills } from '../../components/check-pills.tsx';
import { printCount } from '../../format/count.ts';
import { type LaunchForm, type SetField, sitesOf } from './form-shape.ts';
import classes from './launch.module.css';

type Props = { form: LaunchForm; set: SetField };

/** Where to measure: what runners that are here offer. Nothing where there is no choice. */
export function RunnerField({ form, set }: Props) {
  const { labelValues } = form;
  const limits = useQuery(limitsQuery);
  // A server that measures alone has none to ask for.
  const { data } = useQuery({ ...runnersQuery, enabled: limits.data?.runners === true });
  if (data === undefined) return null;
  const runners = (data.runners ?? []).filter(isHere);
  const offered = new Map(labelChoices(runners));
  // What was chosen earlier stays, so that it can be let go.
  const names = [...new Set([...offered.keys(), ...Object.keys(labelValues)])];
  if (names.length === 0) return null;
  const sites = sitesOf(form);
  const alone = sites.find((site) => !runners.some(({ labels }) => hasLabels(labels, site)));
  const choose = (name: string, values: string[]) => {
    const { [name]: _, ...others } = labelValues;
    set({ labelValues: values.length === 0 ? others : { ...others, [name]: values } });
  };
  return (
    <div className={classes.stack}>
      {names.map((name) => {
        const chosen = labelValues[name] ?? [];
        const values = [...new Set([...(offered.get(name) ?? []), ...chosen])];
        return (
          <CheckPills
            key={name}
            legend={`Runner’s ${name}`}
            name={`label-${name}`}
            values={chosen}
            onChange={(changed) => choose(name, changed)}
            choices={values.map((value) => ({ value, label: value }))}
          />
        );
      })}
      <p className="soft" role="status">
        {alone === undefined
          ? sitesInWords(sites.length)
          : `No runner with ${printLabels(alone)} is connected.`}
      </p>
    </div>
  );
}

function sitesInWords(count: number): string {
  if (count === 0) return 'Any runner can measure. Choose several to compare sites.';
  return count === 1 ? '' : `Starts ${printCount(count, 'run')} at once, one at each site.`;
}
