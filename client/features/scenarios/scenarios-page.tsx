import { Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { recordingEndpoints, scenarioEndpoints } from '../../../shared/api/scenario-endpoints.ts';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import type { ScenarioLine } from '../../../shared/scenario/stored-scenario.ts';
import { mayCall } from '../../api/identity.ts';
import { callEndpoint } from '../../api/late-call.ts';
import { scenariosQuery } from '../../api/queries.ts';
import { ActionButton, ButtonRow, PageHead, Waiting } from '../../components/action-button.tsx';
import { Answer, ProblemNotice } from '../../components/answer.tsx';
import { Card, Section } from '../../components/card.tsx';
import { FileField, Form, SelectField } from '../../components/form-fields.tsx';
import { LinkButton, type LinkLine, LinkList } from '../../components/links.tsx';
import { printAgo, printCount } from '../../format/printed-figures.ts';
import {
  asImported,
  choicesOf,
  formats,
  type ImportForm,
  queryOf,
  sourceOf,
  untouched,
} from './import-form.ts';
import { ImportedScenario } from './imported-scenario.tsx';
import classes from './scenarios.module.css';

/** Scenarios that this server can send, and the ways to add more. `?recording={sid}` shows the result of a recording that has ended. */
export default function ScenariosPage() {
  const [address] = useSearchParams();
  const recording = permalinkIdSchema.safeParse(address.get('recording'));
  const now = Date.now();
  return (
    <>
      <PageHead tab="Scenarios" title="Scenarios">
        <p>What one visitor does, step by step. Both sides of a run get the same requests.</p>
      </PageHead>
      <Answer of={useQuery({ ...scenariosQuery, staleTime: 0 })} waiting="Loading scenarios">
        {(lines) => (
          <Card flush>
            <LinkList label="Scenarios" lines={lines.map((line) => describeScenario(line, now))} />
          </Card>
        )}
      </Answer>
      {mayCall(scenarioEndpoints.createScenario) ? (
        <Section
          id="new"
          title="Add a scenario"
          lead="Import a recording or a test, record in a browser, or write the steps yourself."
        >
          {recording.success ? <RecordedCard sid={recording.data} /> : <ImportCard />}
          <ButtonRow>
            <LinkButton to="/record">Record in a browser</LinkButton>
            <LinkButton to="/scenarios/new">Write a scenario</LinkButton>
          </ButtonRow>
        </Section>
      ) : null}
    </>
  );
}

const origins = { editor: 'Written', import: 'Imported', recording: 'Recorded' } as const;

function describeScenario(
  { id, name, description, steps, secrets, revision }: ScenarioLine,
  now: number,
): LinkLine {
  const facts = [
    printCount(steps, 'step'),
    ...(secrets.length === 0 ? [] : [printCount(secrets.length, 'secret')]),
    ...(revision === null ? [] : [`revision ${revision.number}`, printAgo(revision.createdAt, now)]),
    ...(description === '' ? [] : [description]),
  ];
  return {
    href: `/scenarios/${id}`,
    title: name,
    detail: facts.join(' · '),
    look: { word: revision === null ? 'Built in' : origins[revision.origin], tone: 'quiet', icon: 'arrow' },
  };
}

/** Result of a recording, to review and to save. Reading it ends a recording that is still under way. */
export function RecordedCard({ sid }: { sid: string }) {
  const [form, setForm] = useState<ImportForm>(untouched);
  const finish = useMutation({
    mutationFn: (asked: ImportForm) =>
      callEndpoint(recordingEndpoints.finishRecording, {
        params: { sid },
        body: { choices: choicesOf(asked) },
      }),
    onSuccess: (report, asked) => setForm(asImported(asked, report)),
  });
  const begun = useRef(false);
  useEffect(() => {
    if (!begun.current) finish.mutate(untouched);
    begun.current = true;
  }, [finish.mutate]);
  return (
    <Card>
      <div aria-live="polite">
        {form.report === null && finish.error === null ? <Waiting>Creating the scenario</Waiting> : null}
        <ProblemNotice error={finish.error} />
      </div>
      {form.report === null ? null : (
        <ImportedScenario
          report={form.report}
          form={form}
          decide={(part) => {
            const next = { ...form, ...part };
            setForm(next);
            finish.mutate(next);
          }}
          reading={finish.isPending}
        />
      )}
    </Card>
  );
}

/** A file or a pasted text becomes a report; every switch in the report reads the source once more. */
export function ImportCard() {
  const [form, setForm] = useState<ImportForm>(untouched);
  const read = useMutation({
    mutationFn: (asked: ImportForm) =>
      callEndpoint(scenarioEndpoints.importScenario, { query: queryOf(asked), body: sourceOf(asked) }),
    onSuccess: (report, asked) => setForm(asImported(asked, report)),
  });
  const isEmpty = form.file === null && form.text.trim() === '';

  function change(part: Partial<ImportForm>) {
    setForm({ ...form, ...part });
    read.reset();
  }
  /** A decision on what was read: the report stays on the screen until the new one is there. */
  function decide(part: Partial<ImportForm>) {
    const next = { ...form, ...part };
    setForm(next);
    read.mutate(next);
  }

  return (
    <Card>
      <Form className="stack" onSubmit={() => read.mutate(form)}>
        <div className={classes.sources}>
          <FileField
            label="File"
            hint="HAR (up to 64 MiB), Playwright test, Chrome DevTools recording, or JSON scenario."
            accept=".har,.json,.ts,.js,.mjs,.txt,.sh"
            onChoose={(file) => change({ ...untouched, file })}
          />
          <Textarea
            label="Or paste text"
            description="Code is never executed."
            placeholder="await page.goto('https://shop.example/') … or: curl https://shop.example/"
            rows={5}
            value={form.text}
            onChange={(event) => change({ ...untouched, text: event.currentTarget.value })}
            spellCheck={false}
            classNames={{ input: 'code' }}
          />
        </div>
        <div className={classes.importCardFacts}>
          <SelectField form={form} set={change} name="format" label="Format" data={formats} />
          <ActionButton type="submit" blocked={isEmpty} pending={read.isPending}>
            Preview import
          </ActionButton>
        </div>
      </Form>
      <div aria-live="polite">
        {read.isPending && form.report === null ? <Waiting>Reading</Waiting> : null}
        <ProblemNotice error={read.error} />
      </div>
      {form.report === null || read.error !== null ? null : (
        <ImportedScenario report={form.report} form={form} decide={decide} reading={read.isPending} />
      )}
    </Card>
  );
}
