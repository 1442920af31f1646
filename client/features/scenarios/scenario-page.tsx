import { Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { ProblemError } from '../../../shared/base/problem.ts';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import { type Scenario, scenarioSchema } from '../../../shared/scenario/scenario.ts';
import type { StoredScenario } from '../../../shared/scenario/stored-scenario.ts';
import type { TargetInput } from '../../../shared/target/target.ts';
import { mayCall } from '../../api/identity.ts';
import { scenarioQuery } from '../../api/queries.ts';
import { type CreateMeasurement, useCreateMeasurement } from '../../api/use-create-measurement.ts';
import { ActionButton, PageHead, Waiting } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Badge, Card, Notice, Section } from '../../components/card.tsx';
import { guardHistory } from '../../components/dialog.tsx';
import {
  AreaField,
  Form,
  SecretFields,
  SwitchLine,
  secretsIn,
  TextField,
} from '../../components/form-fields.tsx';
import { ChoicePills } from '../../components/pills.tsx';
import { TargetFields } from '../../components/replay-target.tsx';
import { describeAction, type TargetForm, targetOfForm, targetOfSite } from '../../format/browser-action.ts';
import { printCount, printWhen } from '../../format/printed-figures.ts';
import { DryRunSection } from './dry-run-section.tsx';
import { EditorActions, KeepSection } from './keep-section.tsx';
import {
  type Draft,
  draftOf,
  emptyDraft,
  type Messages,
  messageAt,
  type ReadDraft,
  readDraft,
  type SetDraft,
} from './scenario-draft.ts';
import classes from './scenarios.module.css';
import { StepList } from './step-list.tsx';
import { UnsupportedList } from './unsupported-list.tsx';

/** `/scenarios/new`, or a scenario in its newest revision. */
export default function ScenarioPage() {
  const { id = '' } = useParams();
  return id === 'new' ? <Editor key="new" stored={null} /> : <Stored key={id} id={id} />;
}

function Stored({ id }: { id: string }) {
  const scenario = useQuery({
    ...scenarioQuery(id),
    throwOnError: (error, query) => error instanceof ProblemError || query.state.data === undefined,
    // A refetch must not replace the scenario under the user's hands.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  // Nor is an older copy edited that some other screen has left.
  if (scenario.data === undefined || !scenario.isFetchedAfterMount)
    return <Waiting>Loading the scenario</Waiting>;
  return <Editor stored={scenario.data} />;
}

/** @param stored null for a scenario that is still to be written */
export function Editor({ stored }: { stored: StoredScenario | null }) {
  /** The draft as last saved. */
  const [start, setStart] = useState(() => (stored === null ? emptyDraft() : draftOf(stored.scenario)));
  const [draft, setDraft] = useState(start);
  /** The text of the source view; null while the fields are shown. */
  const [source, setSource] = useState<string | null>(null);
  const [serverMessages, setServerMessages] = useState<Messages | null>(null);
  const read = source === null ? readDraft(draft) : readSource(source);
  const touched = draft !== start || (source !== null && source !== printSource(stored?.scenario ?? null));
  // A form that has not been edited shows no errors.
  const messages = touched ? { ...serverMessages, ...read.messages } : {};
  useLeaveGuard(touched);

  const set: SetDraft = (change) => {
    setDraft((current) => ({ ...current, ...change }));
    setServerMessages(null);
  };
  function markSaved(saved: StoredScenario) {
    const next = source === null ? draft : draftOf(saved.scenario);
    setDraft(next);
    setStart(next);
    if (source !== null) setSource(printSource(saved.scenario));
  }
  function showSource(shown: boolean) {
    if (shown) setSource(printSource(readDraft(draft).scenario ?? stored?.scenario ?? null));
    else if (read.scenario !== null) {
      if (source !== printSource(readDraft(draft).scenario)) setDraft(draftOf(read.scenario));
      setSource(null);
    }
  }

  return (
    <>
      <PageHead
        tab={stored?.scenario.name ?? 'New scenario'}
        title={stored?.scenario.name ?? 'New scenario'}
        above={stored === null ? null : <Standing stored={stored} touched={touched} />}
      >
        {stored === null || stored.scenario.description === '' ? null : <p>{stored.scenario.description}</p>}
      </PageHead>
      <div className="stack wide">
        <EditorActions
          stored={stored}
          scenario={read.scenario}
          touched={touched}
          onProblem={setServerMessages}
          onSaved={markSaved}
        />
        <UnsupportedList unsupported={stored?.unsupported ?? []} />
        <ChoicePills
          legend="View"
          name="view"
          value={source === null ? 'steps' : 'source'}
          choices={[
            { value: 'steps', label: 'Steps' },
            { value: 'source', label: 'Source' },
          ]}
          onChange={(view) => showSource(view === 'source')}
        />
        {source === null ? (
          <>
            <StepList draft={draft} set={set} messages={messages} />
            <Card>
              <FactFields draft={draft} set={set} messages={messages} />
            </Card>
          </>
        ) : (
          <SourceView text={source} onChange={setSource} messages={read.messages} />
        )}
      </div>
      <DryRunSection scenario={read.scenario} site={stored?.site ?? null} />
      {stored === null || stored.actions.length === 0 ? null : <VisitsSection stored={stored} />}
      {stored === null ? null : <KeepSection stored={stored} touched={touched} />}
    </>
  );
}

function Standing({ stored: { revision }, touched }: { stored: StoredScenario; touched: boolean }) {
  const standing =
    revision === null ? 'Built in' : `Revision ${revision.number}, ${printWhen(revision.createdAt)}`;
  return (
    <span className="row">
      <Badge tone="quiet">{standing}</Badge>
      {touched ? <Badge tone="warn">Unsaved changes</Badge> : null}
    </span>
  );
}

/** Asks before a page with unsaved changes is closed, or left by one of its links or by the Back button. */
export function useLeaveGuard(touched: boolean): void {
  useEffect(() => {
    if (!touched) return;
    const mayLeave = () => window.confirm('Leave without saving your changes?');
    const onClose = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      if (!leaves(event) || mayLeave()) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('beforeunload', onClose);
    // Before the router, which is told of the click on its way back up.
    document.addEventListener('click', onClick, { capture: true });
    const release = guardHistory(mayLeave);
    return () => {
      release();
      window.removeEventListener('beforeunload', onClose);
      document.removeEventListener('click', onClick, { capture: true });
    };
  }, [touched]);
}

/** A click on a link within the dashboard, in this tab; the browser itself asks about any other. */
function leaves({ target, ctrlKey, metaKey, shiftKey, button }: MouseEvent): boolean {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download')) return false;
  const elsewhere = ctrlKey || metaKey || shiftKey || button !== 0 || link.origin !== location.origin;
  return !elsewhere && link.pathname !== location.pathname && !link.pathname.startsWith('/api/');
}

type Props = { draft: Draft; set: SetDraft; messages: Messages };

/** Settings of the whole scenario. */
export function FactFields({ draft, set, messages }: Props) {
  const fields = { form: draft, set, messages: (field: string) => messageAt(messages, field) };
  return (
    <div className={classes.editorFacts}>
      <div className={classes.pair}>
        <TextField {...fields} name="name" label="Name" maxLength={100} spellCheck />
        <TextField {...fields} name="description" label="Description" maxLength={1000} spellCheck />
      </div>
      <SwitchLine
        label="Keep cookies"
        detail="Each visitor keeps its cookies for one transaction."
        checked={draft.cookies}
        onChange={(cookies) => set({ cookies })}
      />
      <AreaField
        {...fields}
        name="rows"
        label="Data rows"
        description="CSV or a pasted table: variable names first, then one row per line. Each transaction takes the next row, the same on both sides."
        placeholder={'user,word\nann,lamp\nbob,"table, round"'}
        error={messageAt(messages, 'data')}
        rows={5}
        classNames={{ input: 'code' }}
      />
      <div className={classes.pair}>
        <AreaField
          {...fields}
          name="pages"
          label="Pages for the cache section"
          description="Paths that a browser visits, one per line. Leave empty for every GET step."
          rows={3}
          classNames={{ input: 'code' }}
        />
        <AreaField
          {...fields}
          name="sensitivePaths"
          label="Never cached"
          description="Paths with personal data, one per line."
          rows={3}
          classNames={{ input: 'code' }}
        />
      </div>
    </div>
  );
}

type ViewProps = { text: string; onChange: (text: string) => void; messages: Messages | null };

/** The scenario as JSON, as it is exported and read by the command line. */
export function SourceView({ text, onChange, messages }: ViewProps) {
  const entries = Object.entries(messages ?? {});
  return (
    <div className={classes.editorFacts}>
      <Textarea
        label="Source"
        description="Same as the JSON export. For its schema, see ScenarioInput in the API reference."
        value={text}
        rows={24}
        onChange={(event) => onChange(event.currentTarget.value)}
        classNames={{ input: `code ${classes.editorSource}` }}
        aria-invalid={entries.length > 0}
        spellCheck={false}
      />
      <div aria-live="polite">
        {entries.length === 0 ? null : (
          <Notice tone="bad" title="Not a valid scenario yet">
            <ul className={classes.messages}>
              {entries.map(([path, message]) => (
                <li key={path}>
                  {path === '' ? null : <code>{path}</code>} {message}
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
    </div>
  );
}

export function printSource(scenario: Scenario | null): string {
  const { id: _, ...rest } = scenario ?? { name: '', steps: [] };
  return `${JSON.stringify(rest, null, 2)}\n`;
}

export function readSource(text: string): ReadDraft {
  try {
    const parsed = scenarioSchema.omit({ id: true }).safeParse(JSON.parse(text));
    if (parsed.success) return { scenario: parsed.data, messages: null };
    const messages: Messages = {};
    for (const { path, message } of parsed.error.issues) messages[path.join('.')] ??= message;
    return { scenario: null, messages };
  } catch (error) {
    return { scenario: null, messages: { '': error instanceof Error ? error.message : String(error) } };
  }
}

type VisitsForm = TargetForm & { secrets: Record<string, string> };

/** The recorded browser actions, measured in a browser over both transports. */
export function VisitsSection({ stored }: { stored: StoredScenario }) {
  const [form, setForm] = useState<VisitsForm>(() => ({ ...targetOfSite(stored.site), secrets: {} }));
  const run = useCreateMeasurement();
  const secrets = secretsIn(stored.actions);
  const set = (change: Partial<VisitsForm>) => {
    setForm({ ...form, ...change });
    run.reset();
  };
  if (!mayCall(measurementEndpoints.createMeasurement)) return null;
  return (
    <Section
      id="visits"
      title="Browser visits"
      lead={`Replay the ${printCount(stored.actions.length, 'recorded action')} in a real browser, alternating HTTP and HTTPS: time to first byte, paints, and load, with a cold and a warm cache.`}
      card
    >
      <details className={classes.actions}>
        <summary>Recorded actions</summary>
        <ol>
          {stored.actions.map((action, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two actions may be alike, and none moves here
            <li key={index}>{describeAction(action)}</li>
          ))}
        </ol>
      </details>
      <Form
        className={classes.form}
        onSubmit={() => {
          const target = targetOfForm(form);
          if (target !== null) run.mutate(requestOf(target, form, stored));
        }}
      >
        <div className={classes.dryRunFields}>
          <TargetFields label="Browser target" form={form} set={set} />
          <SecretFields
            names={secrets}
            values={form.secrets}
            required
            onChange={(values) => set({ secrets: values })}
          />
        </div>
        <ProblemNotice error={run.error} />
        <div>
          <ActionButton type="submit" variant="default" pending={run.isPending}>
            Measure in a browser
          </ActionButton>
        </div>
      </Form>
    </Section>
  );
}

function requestOf(target: TargetInput, { secrets }: VisitsForm, stored: StoredScenario): CreateMeasurement {
  return {
    kind: 'visits',
    target,
    journey: {
      name: stored.scenario.name,
      actions: stored.actions,
      scenario: permalinkIdSchema.safeParse(stored.id).data ?? null,
    },
    secrets,
  };
}
