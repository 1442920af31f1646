import { NativeSelect, PasswordInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { StoredScenario } from '../../../shared/scenario/stored-scenario.ts';
import { scenarioQuery, scenariosQuery } from '../../api/queries.ts';
import { FieldRow } from '../../components/field-row.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { asksPaths, type FieldProps, type LaunchForm, ownScenario, storedScenarioOf } from './form-shape.ts';
import classes from './launch.module.css';

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
  if (form.ownScenario !== '') options.unshift({ value: ownScenario, label: nameOf(form.ownScenario) });
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
        {chosen === undefined ? <Others form={form} /> : <Steps chosen={chosen} />}
      </div>
      <ProblemNotice error={error} />
      {chosen === undefined || chosen.secrets.length === 0 ? null : (
        <fieldset className={classes.group}>
          <legend>Scenario secrets</legend>
          <p className="soft">Kept in memory until the run ends. Never stored or shown.</p>
          <FieldRow>
            {chosen.secrets.map((name) => (
              <PasswordInput
                key={name}
                label={name}
                value={form.secrets[name] ?? ''}
                error={(form.secrets[name] ?? '') === '' ? messages.secrets : undefined}
                onChange={(event) => set({ secrets: { ...form.secrets, [name]: event.currentTarget.value } })}
                autoComplete="off"
                maxLength={8192}
              />
            ))}
          </FieldRow>
        </fieldset>
      )}
    </div>
  );
}

/** What a target is asked that needs no stored scenario. */
const ownOption: Record<LaunchForm['targetKind'], string | null> = {
  storefront: null,
  origins: 'The path above',
  managed: 'One document',
};

/** Of a scenario that only an earlier run has. */
function nameOf(scenario: string): string {
  const parsed = JSON.parse(scenario) as { name?: unknown } | null;
  return `${typeof parsed?.name === 'string' ? parsed.name : 'Scenario'}, as in that run`;
}

function optionOf(value: string, chosen: StoredScenario | undefined) {
  if (chosen === undefined) return { value, label: value === 'search' ? 'Search' : 'Opening …' };
  const { scenario, revision } = chosen;
  return {
    value,
    label: revision === null ? scenario.name : `${scenario.name}, revision ${revision.number}`,
  };
}

/** Where scenarios come from. */
function Others({ form }: { form: LaunchForm }) {
  return (
    <p className="soft">
      {asksPaths(form) ? 'Several paths have spaces between them. ' : null}
      Or <Link to="/record">record</Link> or <Link to="/scenarios">import a scenario</Link>.
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
