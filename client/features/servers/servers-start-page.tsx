import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { ProblemError } from '../../../shared/base/problem.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { serversOptions, shapeOption } from '../../../shared/kinds/servers/options.ts';
import { serversS } from '../../../shared/kinds/servers/servers.ts';
import { expandPlan } from '../../../shared/kinds/servers/servers-cells.ts';
import { type ServersPreset, serversPresets } from '../../../shared/kinds/servers/servers-presets.ts';
import {
  type FactorPlan,
  type FactorPlanInput,
  factorNames,
  factorPlanSchema,
  type ServersRequest,
  serversRequestSchema,
} from '../../../shared/kinds/servers/servers-result.ts';
import { managedServersQuery } from '../../api/queries.ts';
import { PageHead } from '../../components/action-button.tsx';
import { FieldRow, OptionFields } from '../../components/form-fields.tsx';
import { ChoicePills } from '../../components/pills.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { LabTabs, PresetButtons, RecentOfKinds, useRequestForm } from '../../components/start-form.tsx';
import { choicesOf, isWide } from '../../format/option-field.ts';
import { formOf, type OptionForm, readForm } from '../../format/option-form.ts';
import { printCount, printDuration } from '../../format/printed-figures.ts';
import { whatIsMissing } from '../../format/server-choice.ts';
import classes from './servers.module.css';

export default function ServersPage() {
  return (
    <>
      <PageHead tab="Servers" title="What changes the cost of HTTPS?" above={<LabTabs />}>
        <p>
          Servers, keys, ciphers, and connections, at full speed and in random order.{' '}
          <Link to="/sql">Query all runs with SQL</Link>
        </p>
      </PageHead>
      <ServersCard />
      <RecentOfKinds kinds={['servers']} />
    </>
  );
}

const presets: { value: ServersPreset; label: string }[] = [
  { value: 'quick', label: 'Quick' },
  { value: 'keys', label: 'Every server' },
  { value: 'servers', label: 'Current servers' },
  { value: 'malmgren-2011', label: 'Malmgren 2011' },
];

/** Smallest number of rounds. */
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
      action="Measure"
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
        legend="Combinations"
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
      : `${printCount(size.cells, 'combination')}, ${printNumber(rounds, 0)} rounds, about ${printDuration(size.seconds)}.`;
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

type ParsedServers = {
  request: ServersRequest | null;
  messages: { [id: string]: string };
  /** Why the plan cannot be measured as a whole. */
  problem: string | null;
  /** Null while the plan cannot be counted. */
  size: { cells: number; seconds: number } | null;
};

/** The form of a plan, its base and levels together. Listed cells have no form. */
export function formOfPlan(input: Exclude<FactorPlanInput, { shape: 'cells' }>, rounds?: number): OptionForm {
  const plan = factorPlanSchema.parse(input) as Exclude<FactorPlan, { shape: 'cells' }>;
  const levels = Object.fromEntries(
    factorNames.map((factor) => [factor, plan.levels[factor] ?? [plan.base[factor]]]),
  );
  return formOf(serversOptions, { plan: { shape: plan.shape, levels }, rounds });
}

/** Without the servers that cannot be measured. */
export function withServers(form: OptionForm, isThere: (name: string) => boolean): OptionForm {
  const ticked = form['plan.levels.server'] as readonly string[];
  return { ...form, 'plan.levels.server': ticked.filter(isThere) };
}

/** The request, or what is wrong with each field. */
export function parseServersForm(form: OptionForm): ParsedServers {
  const { asked, messages } = readForm(serversOptions, form);
  const nothing = { request: null, messages, problem: null, size: null };
  if (Object.keys(messages).length > 0) return nothing;
  const { levels, shape } = asked.plan as { levels: Record<string, unknown[]>; shape: string };
  const base = Object.fromEntries(Object.entries(levels).map(([factor, [first]]) => [factor, first]));
  const request = serversRequestSchema.parse({ ...asked, kind: 'servers', plan: { shape, base, levels } });
  try {
    const cells = expandPlan(request.plan);
    return { ...nothing, request, size: { cells: cells.length, seconds: serversS(request, cells) } };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { ...nothing, problem: error.problem.detail };
  }
}
