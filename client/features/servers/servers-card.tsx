import { useQuery } from '@tanstack/react-query';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { serversOptions, shapeOption } from '../../../shared/kinds/servers/options.ts';
import { type ServersPreset, serversPresets } from '../../../shared/kinds/servers/servers-presets.ts';
import { managedServersQuery } from '../../api/queries.ts';
import { ChoicePills } from '../../components/choice-pills.tsx';
import { FieldRow } from '../../components/field-row.tsx';
import { OptionFields } from '../../components/option-fields.tsx';
import { PresetButtons } from '../../components/preset-buttons.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { useRequestForm } from '../../components/use-request-form.ts';
import { printCount } from '../../format/count.ts';
import { printDuration } from '../../format/duration.ts';
import { choicesOf, isWide } from '../../format/option-field.ts';
import { whatIsMissing } from '../../format/server-choice.ts';
import classes from './servers.module.css';
import { formOfPlan, parseServersForm, withServers } from './servers-form.ts';

const presets: { value: ServersPreset; label: string }[] = [
  { value: 'quick', label: 'Quick' },
  { value: 'keys', label: 'Every server' },
  { value: 'servers', label: 'Current servers' },
  { value: 'malmgren-2011', label: 'Malmgren 2011' },
];

/** As few as there may be. */
const quickRounds = 3;
const hasFewRounds = (preset: ServersPreset) => preset === 'quick' || preset === 'keys';

const shown = serversOptions.filter(({ option }) => option.field !== false);
const ticked = shown.filter(({ option }) => isWide(option));
const typed = shown.filter(({ option }) => !isWide(option));

/** Asks for a sweep over servers: a preset fills the plan, which can be changed. */
export function ServersCard() {
  const asking = useRequestForm(() => formOfPlan(serversPresets.quick, quickRounds));
  const { set, tried, submit, pending, error } = asking;
  const { data: found } = useQuery(managedServersQuery);
  const missingOf = (name: string) => whatIsMissing(found?.find((each) => each.name === name));
  const form = withServers(asking.form, (name) => missingOf(name) === null);
  const { request, messages, problem, size } = parseServersForm(form);
  const fields = { form, set, messages: tried ? messages : {} };
  return (
    <RequestForm
      calls={measurementEndpoints.createMeasurement}
      action="Start sweep"
      onSubmit={() => submit(request)}
      pending={pending}
      error={error}
    >
      <PresetButtons
        legend="Presets"
        presets={presets}
        onChoose={(preset) =>
          set(formOfPlan(serversPresets[preset], hasFewRounds(preset) ? quickRounds : undefined))
        }
      />
      <ChoicePills
        legend="Cells"
        legendShown
        name="shape"
        value={String(form['plan.shape'])}
        choices={choicesOf(shapeOption)}
        onChange={(shape) => set({ 'plan.shape': shape })}
      />
      <div className={classes.factors}>
        <OptionFields
          {...fields}
          options={ticked}
          choices={{
            'plan.levels.server': (choice) => {
              const missing = missingOf(choice.value);
              if (missing === null) return choice;
              return { ...choice, label: `${choice.label}: ${missing}`, disabled: true };
            },
          }}
        />
      </div>
      <FieldRow>
        <OptionFields {...fields} options={typed} />
      </FieldRow>
      <PlanSize problem={problem} size={size} rounds={Number(form.rounds)} />
    </RequestForm>
  );
}

type SizeProps = {
  problem: string | null;
  size: { cells: number; seconds: number } | null;
  rounds: number;
};

function PlanSize({ problem, size, rounds }: SizeProps) {
  const told =
    size === null
      ? 'Complete the plan to see its size.'
      : `${printCount(size.cells, 'cell')}, ${printNumber(rounds, 0)} rounds, about ${printDuration(size.seconds)}.`;
  return (
    <p
      className={classes.size}
      aria-live="polite"
      data-testid="plan-size"
      data-error={problem === null ? undefined : true}
    >
      {problem ?? told}
    </p>
  );
}
