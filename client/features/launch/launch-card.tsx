import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PreflightRequest } from '../../../shared/api/target-endpoints.ts';
import { ProblemError } from '../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';
import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { late, starting } from '../../api/late-endpoints.ts';
import { problemOf } from '../../api/problem-of.ts';
import { limitsQuery, scenarioQuery, scenariosQuery } from '../../api/queries.ts';
import { useCreateMeasurement } from '../../api/use-create-measurement.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { FieldRow } from '../../components/field-row.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { withoutOptions } from '../../format/without-options.ts';
import {
  type LaunchForm,
  type OptionId,
  ownScenario,
  type SetField,
  storedScenarioOf,
} from './form-shape.ts';
import { keepDraft, readDraft } from './launch-draft.ts';
import { LoadFields } from './load-fields.tsx';
import { MachineStrip } from './machine-strip.tsx';
import { PlanField } from './plan-field.tsx';
import { PreflightPanel } from './preflight-panel.tsx';
import { QuestionField } from './question-field.tsx';
import { RunnerField } from './runner-field.tsx';
import { ScenarioField } from './scenario-field.tsx';
import { SideFields } from './side-fields.tsx';
import { emptySides } from './side-form.ts';
import { TargetChoice, TargetFields } from './target-fields.tsx';
import { tlsMessageOf, trustField } from './tls-message.ts';
import { useRequestMaker } from './use-request-maker.ts';

/** Fields that a preflight looks at. A change of any of them makes the shown report a report of something else. */
const checkedFields: readonly (keyof LaunchForm)[] = [
  'targetKind',
  'http',
  'https',
  'path',
  'ca',
  'trust',
  'twin',
  'pid',
  'server',
  'scenario',
  'ownScenario',
  'secrets',
  ...(Object.keys(emptySides) as (keyof typeof emptySides)[]),
  ...comparisonOptions.filter(({ part }) => part !== null).map(({ id }) => id as OptionId),
  'connectionPolicy',
];

/** What was asked of the two sides, and was not as it should be: the check says more. */
const explainedByCheck: readonly (ProblemCode | null)[] = [
  'target_unreachable',
  'tls_not_offered',
  'scenario_unfit',
  'not_comparable',
];

export function LaunchCard() {
  const [form, setForm] = useState(readDraft);
  const [tried, setTried] = useState(false);
  useEffect(() => keepDraft(form), [form]);
  const scenarios = useQuery(scenariosQuery);
  const scenarioId = storedScenarioOf(form);
  const chosen = useQuery({ ...scenarioQuery(scenarioId ?? ''), enabled: scenarioId !== null });
  const limits = useQuery(limitsQuery);
  const isMeasuredHere = limits.data?.measures !== false && Object.keys(form.labelValues).length === 0;
  const launch = useCreateMeasurement();
  const preflight = useMutation({
    mutationFn: async (body: PreflightRequest) => callEndpoint((await late.target()).preflight, { body }),
  });

  const secretNames = form.scenario === ownScenario ? undefined : chosen.data?.secrets;
  const making = useRequestMaker();
  const { maker, withMaker } = making;
  const parsed = tried ? maker?.parseForm(form, secretNames) : undefined;
  const report = preflight.data;
  const unfit = report?.problem == null ? null : withoutOptions(report.problem);
  const refused =
    (launch.error === null ? null : maker?.messagesOfFields(form, problemOf(launch.error).fields)) ?? {};
  // A run waits in the queue until the target can be checked.
  const isRefused = preflight.error !== null && codeOf(preflight.error) !== 'target_busy';
  const wrong = (isRefused ? problemOf(preflight.error).detail : unfit) ?? Object.values(refused)[0] ?? null;

  const set: SetField = (change) => {
    const moved = {
      ...('https' in change ? { trust: '' } : {}),
      ...('sides.comparison.target.origin' in change ? { 'sides.comparison.target.trust': '' } : {}),
    };
    setForm((current) => ({ ...current, ...change, ...moved }));
    launch.reset();
    if (checkedFields.some((field) => field in change)) {
      preflight.reset();
      setTried(false);
    }
  };

  const submit = () =>
    withMaker(({ parseForm, preflightOf }) => {
      setTried(true);
      const asked = parseForm(form, secretNames);
      if (asked.request === null || wrong !== null) return;
      const { request, sites } = asked;
      launch.mutate(sites.length > 1 ? { ...request, labels: sites } : request, {
        onError: (error) => {
          if (explainedByCheck.includes(codeOf(error))) preflight.mutate(preflightOf(request));
        },
      });
    });
  const check = (asked = form) =>
    withMaker(({ parseForm, preflightOf }) => {
      setTried(true);
      launch.reset();
      const { request } = parseForm(asked, secretNames);
      if (request !== null) preflight.mutate(preflightOf(request));
    });
  /** What the check offered, which is checked as well. */
  function take(change: Partial<LaunchForm>) {
    set(change);
    check({ ...form, ...change });
  }

  const asksVersions = form['sides.comparison.tls.version'] !== '';
  const shown = { ...tlsMessageOf(report, form), ...refused, ...parsed?.messages };
  const incomplete =
    parsed?.request === null ? (Object.values(shown)[0] ?? 'Correct the marked fields.') : null;
  return (
    <RequestForm
      calls={starting}
      action="Start run"
      onSubmit={submit}
      pending={launch.isPending || making.pending}
      error={making.error ?? (Object.keys(refused).length === 0 ? launch.error : null)}
      problem={wrong ?? incomplete}
      beside={
        <ActionButton variant="default" size="md" pending={preflight.isPending} onClick={() => check()}>
          Check target
        </ActionButton>
      }
    >
      <FieldRow>
        <QuestionField form={form} set={set} />
        <TargetChoice form={form} set={set} />
      </FieldRow>
      <TargetFields form={form} set={set} messages={shown} />
      <SideFields form={form} set={set} messages={shown} />
      <ScenarioField
        form={form}
        set={set}
        scenarios={scenarios.data}
        scenarioId={scenarioId}
        chosen={chosen.data}
        problem={chosen.error}
        messages={shown}
      />
      <PlanField form={form} set={set} cards={limits.data?.presets} />
      <LoadFields form={form} set={set} messages={shown} />
      <RunnerField form={form} set={set} />
      <PreflightPanel
        pending={preflight.isPending}
        report={report}
        error={preflight.error}
        onTrust={(trust) => report !== undefined && take({ [trustField(report, form)]: trust })}
        onTwin={(twin) => take({ twin })}
        onVersion={asksVersions ? null : (version) => take({ 'tls.version': version })}
      />
      {isMeasuredHere && <MachineStrip preset={form.preset} />}
    </RequestForm>
  );
}

function codeOf(error: Error): ProblemCode | null {
  return error instanceof ProblemError ? error.problem.code : null;
}
