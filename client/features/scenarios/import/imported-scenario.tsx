import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { scenarioEndpoints } from '../../../../shared/api/scenario-endpoints.ts';
import type { ImportReport } from '../../../../shared/scenario/import.ts';
import type { Scenario } from '../../../../shared/scenario/scenario.ts';
import { callEndpoint } from '../../../api/call-endpoint.ts';
import { ActionButton } from '../../../components/action-button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { PagePicture } from '../../../components/page-picture.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { printCount } from '../../../format/count.ts';
import classes from '../scenarios.module.css';
import { FoundSecrets } from './found-secrets.tsx';
import { ImportDecisions } from './import-decisions.tsx';
import { fromSource, type ImportForm, sourceName } from './import-form.ts';
import { ReplayActions } from './replay-actions.tsx';
import { UnsupportedList } from './unsupported-list.tsx';

type Props = {
  report: ImportReport;
  form: ImportForm;
  decide: (part: Partial<ImportForm>) => void;
  reading: boolean;
};

/** The report of an import: the steps that were found, what is left to decide, and how to save them. */
export function ImportedScenario({ report, form, decide, reading }: Props) {
  const { format, scenario, actions, secrets, notes, unsupported, stuck } = report;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <section className={classes.report} aria-labelledby="import-title">
      <h3 id="import-title" ref={heading} tabIndex={-1}>
        {scenario === null
          ? `${sourceName(format)}: no requests found`
          : `${scenario.name}: ${printCount(scenario.steps.length, 'step')} ${fromSource(format)}`}
      </h3>
      {stuck === undefined ? null : (
        <>
          <Notice tone="bad" title="The replay stopped">
            <p>{stuck.sentence}</p>
          </Notice>
          {stuck.picture === null ? null : <PagePicture jpeg={stuck.picture} />}
        </>
      )}
      {scenario === null ? (
        <Notice tone="warn">
          <p>
            {actions.length === 0
              ? 'It contains no requests to make a scenario from.'
              : `It contains ${printCount(actions.length, 'browser action')}. Replay in a browser to capture the requests.`}
          </p>
        </Notice>
      ) : (
        <ol className={classes.importedScenarioSteps}>
          {scenario.steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have no name of their own, and do not move here
            <li key={index}>
              <span>{step.name}</span>
              <code>
                {step.method} {step.path}
              </code>
              <span className={classes.status}>{step.expectStatus}</span>
            </li>
          ))}
        </ol>
      )}
      <UnsupportedList unsupported={unsupported} open />
      {format === 'recording' || actions.length === 0 ? null : <ReplayActions report={report} />}
      <ImportDecisions report={report} form={form} decide={decide} />
      <FoundSecrets secrets={secrets} declined={form.declined} decide={decide} />
      {notes.length === 0 ? null : (
        <ul className={classes.plain}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {scenario === null ? null : <SaveImport report={report} scenario={scenario} reading={reading} />}
    </section>
  );
}

type SaveProps = { report: ImportReport; scenario: Scenario; reading: boolean };

function SaveImport({ report, scenario, reading }: SaveProps) {
  const [name, setName] = useState(scenario.name);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      callEndpoint(scenarioEndpoints.createScenario, {
        body: {
          scenario: { ...scenario, name },
          origin: report.format === 'recording' ? 'recording' : 'import',
          site: report.site,
          actions: report.actions,
          unsupported: report.unsupported,
        },
      }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: ['scenarios'] });
      await navigate(`/scenarios/${id}`);
    },
  });
  return (
    <>
      <ProblemNotice error={save.error} />
      <div className={classes.save}>
        <TextInput
          label="Scenario name"
          value={name}
          maxLength={100}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ActionButton
          blocked={name.trim() === ''}
          pending={save.isPending || reading}
          onClick={() => save.mutate()}
        >
          Save scenario
        </ActionButton>
      </div>
    </>
  );
}
