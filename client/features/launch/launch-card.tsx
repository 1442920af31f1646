import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { limitsQuery, scenarioQuery, scenariosQuery } from '../../api/queries.ts';
import { troubleOf } from '../../api/trouble.ts';
import { useCreateMeasurement } from '../../api/use-create-measurement.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Card } from '../../components/card.tsx';
import { TroubleNotice } from '../../components/trouble-notice.tsx';
import classes from './launch-card.module.css';
import {
  emptyForm,
  type LaunchForm,
  parseForm,
  preflightOf,
  type SetField,
  storedScenarioOf,
} from './launch-form.ts';
import { LoadFields } from './load-fields.tsx';
import { PlanField } from './plan-field.tsx';
import { PreflightPanel } from './preflight-panel.tsx';
import { ScenarioField } from './scenario-field.tsx';
import { TargetFields } from './target-fields.tsx';

/** Fields that a preflight looks at. A change of any of them makes the shown report a report of something else. */
const checkedFields: readonly (keyof LaunchForm)[] = [
  'targetKind',
  'http',
  'https',
  'ca',
  'pid',
  'server',
  'key',
  'document',
  'scenario',
  'secrets',
  'comparison',
  'version',
  'cipher',
  'group',
  'verify',
  'resumption',
  'connectionPolicy',
];

export function LaunchCard() {
  const [address] = useSearchParams();
  const [form, setForm] = useState(() => ({
    ...emptyForm,
    scenario: address.get('scenario') ?? emptyForm.scenario,
  }));
  const [tried, setTried] = useState(false);
  const scenarios = useQuery(scenariosQuery);
  const scenarioId = storedScenarioOf(form);
  const chosen = useQuery({ ...scenarioQuery(scenarioId ?? ''), enabled: scenarioId !== null });
  const limits = useQuery(limitsQuery);
  const launch = useCreateMeasurement();
  const preflight = useMutation({
    mutationFn: (body: ReturnType<typeof preflightOf>) => callEndpoint('preflight', { body }),
  });

  const { request, messages } = parseForm(form, chosen.data?.secrets);
  const report = preflight.data;
  const refusal = preflight.error === null ? (report?.refusal ?? null) : troubleOf(preflight.error).detail;

  const set: SetField = (change) => {
    setForm((current) => ({ ...current, ...change }));
    launch.reset();
    if (checkedFields.some((field) => field in change)) {
      preflight.reset();
      setTried(false);
    }
  };

  function submit() {
    setTried(true);
    if (request !== null && refusal === null) launch.mutate(request);
  }
  function check() {
    setTried(true);
    if (request !== null) preflight.mutate(preflightOf(request));
  }

  const shown = tried ? (messages ?? {}) : {};
  const incomplete = tried && request === null;
  return (
    <Card>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TargetFields form={form} set={set} messages={shown} />
        <ScenarioField
          form={form}
          set={set}
          scenarios={scenarios.data}
          scenarioId={scenarioId}
          chosen={chosen.data}
          trouble={chosen.error}
          message={shown.secrets}
        />
        <PlanField form={form} set={set} cards={limits.data?.presets} />
        <LoadFields form={form} set={set} messages={shown} />
        <PreflightPanel pending={preflight.isPending} report={report} error={preflight.error} />
        {launch.error === null ? null : <TroubleNotice trouble={troubleOf(launch.error)} />}
        <div className={classes.actions}>
          <ActionButton
            type="submit"
            size="md"
            blocked={refusal !== null || incomplete}
            pending={launch.isPending}
            aria-describedby={refusal !== null || incomplete ? 'launch-reason' : undefined}
          >
            Launch
          </ActionButton>
          <ActionButton variant="default" size="md" pending={preflight.isPending} onClick={check}>
            Check target
          </ActionButton>
          {refusal !== null ? (
            <p id="launch-reason" className={classes.reason}>
              {refusal}
            </p>
          ) : incomplete ? (
            <p id="launch-reason" className={classes.reason}>
              {Object.values(shown)[0] ?? 'Some fields are not right yet.'}
            </p>
          ) : null}
        </div>
      </form>
    </Card>
  );
}
