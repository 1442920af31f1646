import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { groupOptions } from '../../../shared/base/option.ts';
import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import type { StoredScenario } from '../../../shared/scenario/stored-scenario.ts';
import { scenarioQuery, scenariosQuery } from '../../api/queries.ts';
import { ProblemNotice } from '../../components/answer.tsx';
import { FieldRow, MoreFields, OptionFields, type OptionFieldsProps } from '../../components/form-fields.tsx';
import {
  type FieldProps,
  type LaunchForm,
  nameOfOwn,
  type OptionId,
  ownScenario,
  storedScenarioOf,
} from './form-shape.ts';
import classes from './launch.module.css';

type LoadProps = FieldProps & {
  /** Whether other hosts offer their load generator. */
  hasHosts?: boolean;
  /** Whether the server can create generator pods. */
  hasPods?: boolean;
};

/** Per-side options are in the side columns, and a server's options next to its choice. */
const all = comparisonOptions.filter(
  ({ part, option }) => part !== 'target' && option.field !== false && option.perSide !== true,
);

/** Form properties for fields of its options. */
export function optionsOf({ form, set, messages }: FieldProps): OptionFieldsProps {
  return { form, set: (change) => set(change as Partial<LaunchForm>), messages };
}

/** Options that most people leave unchanged; opened automatically when one of their fields is wrong. */
export function LoadFields({ hasHosts = false, hasPods = false, ...props }: LoadProps) {
  const offered: Partial<Record<string, boolean>> = { generatorHosts: hasHosts, generatorPods: hasPods };
  const shown = all.filter(({ id }) => offered[id] !== false || props.form[id as OptionId] !== '');
  const wrong = shown.some(({ id }) => props.messages[id as OptionId] !== undefined);
  return (
    <MoreFields title="Connections and load" open={wrong}>
      {groupOptions(shown).map(([title, options]) => (
        <fieldset key={title} className={classes.group}>
          <legend>{title}</legend>
          <FieldRow>
            <OptionFields {...optionsOf(props)} options={options} />
          </FieldRow>
        </fieldset>
      ))}
    </MoreFields>
  );
}

/** A stored scenario, or what the target is asked without one. */
export function ScenarioField({ form, set, messages }: FieldProps) {
  const { data: scenarios = [] } = useQuery(scenariosQuery);
  /** Null for the one document of a server. */
  const scenarioId = storedScenarioOf(form);
  const { data: chosen, error } = useQuery({
    ...scenarioQuery(scenarioId ?? ''),
    enabled: scenarioId !== null,
  });
  const options = scenarios.map(({ id, name }) => ({ value: id, label: name }));
  // A revision that is not the newest, or a list that is not here yet.
  if (scenarioId !== null && !options.some(({ value }) => value === scenarioId))
    options.push(optionOf(scenarioId, chosen));
  const own = ownOption[form.targetKind];
  if (own !== null) options.unshift({ value: '', label: own });
  if (form.ownScenario !== '') options.unshift({ value: ownScenario, label: nameOfOwn(form) });
  return (
    <div className={classes.stack}>
      <div className={classes.scenario}>
        <NativeSelect
          label="Scenario"
          value={form.scenario === ownScenario ? ownScenario : (scenarioId ?? '')}
          error={messages.scenario}
          onChange={(event) => set({ scenario: event.currentTarget.value, secrets: {} })}
          data={options}
        />
        {chosen === undefined ? <Others /> : <Steps chosen={chosen} />}
      </div>
      <ProblemNotice error={error} />
    </div>
  );
}

/** Option for a request without a stored scenario. */
const ownOption: Record<LaunchForm['targetKind'], string | null> = {
  storefront: null,
  origins: 'The path above',
  managed: 'One document',
};

function optionOf(value: string, chosen: StoredScenario | undefined) {
  if (chosen === undefined) return { value, label: value === 'search' ? 'Search' : 'Opening …' };
  const { scenario, revision } = chosen;
  return {
    value,
    label: revision === null ? scenario.name : `${scenario.name}, revision ${revision.number}`,
  };
}

/** Other ways to get a scenario. */
function Others() {
  return (
    <p className="soft">
      <Link to="/record">Record</Link> or <Link to="/scenarios">import a scenario</Link>.
    </p>
  );
}

function Steps({ chosen: { id, scenario } }: { chosen: StoredScenario }) {
  return (
    <div>
      <ol className={classes.steps} aria-label="Steps of one transaction">
        {scenario.steps.map((step, index) =>
          step.enabled ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: two steps may have one name
            <li key={index}>
              {step.name}
              <code>
                {step.method} {step.path}
              </code>
            </li>
          ) : null,
        )}
      </ol>
      <p className="soft">
        <Link to={`/scenarios/${id}`}>Open the scenario</Link> or{' '}
        <Link to="/scenarios">bring one of your own</Link>.
      </p>
    </div>
  );
}
