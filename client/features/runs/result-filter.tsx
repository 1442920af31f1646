import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { verdictOutcomeSchema } from '../../../shared/kinds/comparison/comparison.ts';
import { measurementStateSchema } from '../../../shared/measurement/measurement.ts';
import { choicesQuery, type MeasurementFilter } from '../../api/queries.ts';
import { SelectField, TextField } from '../../components/form-fields.tsx';
import { ToggleChips } from '../../components/toggle-chips.tsx';
import { kindsWithCounts } from '../../format/kinds-with-counts.ts';
import { lookOfOutcome, lookOfState } from '../../format/outcome.ts';
import { outcomeOf, readOutcome } from './list-filter.ts';
import classes from './runs.module.css';

type Props = { filter: MeasurementFilter; onChange: (part: Partial<MeasurementFilter>) => void };

/** These fit into a line or two. */
const mostTags = 8;

export function ResultFilter({ filter, onChange }: Props) {
  const { data: choices = { targets: [], tags: [], kinds: [] } } = useQuery(choicesQuery);
  const targets = withChosen(choices.targets, filter.target);
  const tags = withChosen(choices.tags.slice(0, mostTags), filter.tag);
  return (
    <search className={classes.filter}>
      <div className={classes.fields}>
        <TextField
          form={filter}
          set={onChange}
          name="q"
          label="Search"
          placeholder="Title, note, tag, target, scenario, or ID"
          maxLength={100}
        />
        {targets.length > 1 ? (
          <SelectField
            form={filter}
            set={onChange}
            name="target"
            label="Target"
            data={[{ value: '', label: 'Any' }, ...targets]}
          />
        ) : null}
        <SelectField
          form={filter}
          set={onChange}
          name="kind"
          label="Kind"
          data={[{ value: '', label: 'Any' }, ...kindsWithCounts(choices.kinds)]}
        />
        <NativeSelect
          label="Outcome"
          value={outcomeOf(filter)}
          onChange={(event) => onChange(readOutcome(event.currentTarget.value))}
          data={[
            { value: '', label: 'Any' },
            { group: 'Verdict', items: verdicts },
            { group: 'State', items: states },
          ]}
        />
      </div>
      {tags.length === 0 ? null : (
        <ToggleChips
          label="Tag"
          value={filter.tag}
          onChange={(tag) => onChange({ tag })}
          choices={[{ value: '', label: 'Any tag' }, ...tags]}
        />
      )}
    </search>
  );
}

/** The words that lines of the list use in the usual case. */
const verdicts = verdictOutcomeSchema.options.map((outcome) => ({
  value: `verdict:${outcome}`,
  label: lookOfOutcome(outcome, 1, 'lower').word,
}));

const states = measurementStateSchema.options.map((state) => ({
  value: `state:${state}`,
  label: lookOfState(state).word,
}));

/** The choices, always including the chosen one, however rare it is, in the case that the address has. */
function withChosen(choices: readonly { name: string }[], chosen: string) {
  const names = choices.map(({ name }) => (isSame(name, chosen) ? chosen : name));
  const all = chosen === '' || names.includes(chosen) ? names : [...names, chosen];
  return all.map((name) => ({ value: name, label: name }));
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
