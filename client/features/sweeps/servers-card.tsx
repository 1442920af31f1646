import { useQuery } from '@tanstack/react-query';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { type ServersPreset, serversPresets } from '../../../shared/kinds/servers/servers-presets.ts';
import { managedServersQuery } from '../../api/queries.ts';
import { CheckPills } from '../../components/check-pills.tsx';
import { ChoicePills } from '../../components/choice-pills.tsx';
import { FieldRow } from '../../components/field-row.tsx';
import { TextField } from '../../components/form-fields.tsx';
import { PresetButtons } from '../../components/preset-buttons.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { useRequestForm } from '../../components/use-request-form.ts';
import { printCount } from '../../format/count.ts';
import { printDuration } from '../../format/duration.ts';
import { factorTitles, printLevel } from '../../format/factor-words.ts';
import { whatIsMissing } from '../../format/server-choice.ts';
import {
  formOf,
  levelOf,
  levelsOfFactor,
  parseServersForm,
  type ServersMessages,
  type TickedFactor,
  tickedFactors,
  withServers,
} from './servers-form.ts';
import classes from './sweeps.module.css';

const presets: { value: ServersPreset; label: string }[] = [
  { value: 'quick', label: 'Quick' },
  { value: 'servers', label: 'Current servers' },
  { value: 'malmgren-2011', label: 'Malmgren 2011' },
];

/** As few as there may be. */
const quickRounds = 3;

/** Asks for a sweep over servers: a preset fills the plan, which can be changed. */
export function ServersCard() {
  const asking = useRequestForm(() => formOf(serversPresets.quick, quickRounds));
  const { set, tried, submit, pending, error } = asking;
  const { data: found } = useQuery(managedServersQuery);
  const missingOf = (name: string) => whatIsMissing(found?.find((each) => each.name === name));
  const form = withServers(asking.form, (name) => missingOf(name) === null);
  const { request, messages, size } = parseServersForm(form);
  const shown: ServersMessages = tried ? messages : planOnly(messages);
  const fields = { form, set, messages: shown };
  const choicesOf = (factor: TickedFactor) =>
    levelsOfFactor(factor).map((value) => {
      const missing = factor === 'server' ? missingOf(value) : null;
      const label = printLevel(factor, levelOf(factor, value));
      return missing === null ? { value, label } : { value, label: `${label}: ${missing}`, disabled: true };
    });
  return (
    <RequestForm
      calls={measurementEndpoints.createMeasurement}
      action="Start sweep"
      onSubmit={() => submit(request && { ...request, kind: 'servers' })}
      pending={pending}
      error={error}
    >
      <PresetButtons
        legend="Presets"
        presets={presets}
        onChoose={(preset) =>
          set(formOf(serversPresets[preset], preset === 'quick' ? quickRounds : undefined))
        }
      />
      <ChoicePills
        legend="Cells"
        legendShown
        name="shape"
        value={form.shape}
        choices={[
          { value: 'grid', label: 'Every combination' },
          { value: 'each', label: 'One factor at a time' },
        ]}
        onChange={(shape) => set({ shape })}
      />
      <div className={classes.factors}>
        {tickedFactors.map((factor) => (
          <CheckPills
            key={factor}
            legend={factorTitles[factor]}
            name={factor}
            values={form.ticked[factor]}
            choices={choicesOf(factor)}
            error={shown[factor]}
            onChange={(values) => set({ ticked: { ...form.ticked, [factor]: values } })}
          />
        ))}
      </div>
      <FieldRow>
        <TextField {...fields} name="concurrency" label="Connections" />
        <TextField {...fields} name="document" label="Documents, bytes" />
        <TextField {...fields} name="rounds" label="Rounds of the cells" inputMode="numeric" />
      </FieldRow>
      <PlanSize problem={shown.plan} size={size} rounds={Number(form.rounds)} />
    </RequestForm>
  );
}

type SizeProps = {
  problem: string | undefined;
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
      data-error={problem === undefined ? undefined : true}
    >
      {problem ?? told}
    </p>
  );
}

/** What is said before anybody has tried: a plan that is too large has no count to show. */
function planOnly({ plan }: ServersMessages): ServersMessages {
  return plan === undefined ? {} : { plan };
}
