import { Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { cut } from '../../../shared/base/cut.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { questionProblem } from '../../../shared/kinds/comparison/questions.ts';
import type { readResumedShare } from '../../../shared/kinds/comparison/resumed-share.ts';
import { hasLabels, isHere, labelChoices, printLabels } from '../../../shared/measurement/runner-labels.ts';
import type { Lookup } from '../../../shared/target/preflight.ts';
import { starting } from '../../api/late-call.ts';
import { limitsQuery, managedServersQuery, runnersQuery, scenariosQuery } from '../../api/queries.ts';
import { FieldRow, MoreFields, SecretFields } from '../../components/form-fields.tsx';
import { CheckPills } from '../../components/pills.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { printCount } from '../../format/printed-figures.ts';
import {
  asksPaths,
  differencesInWords,
  type FieldProps,
  type LaunchForm,
  nameOfOwn,
  otherOrigin,
  ownScenario,
  type SetField,
  sitesOf,
  storedScenarioOf,
} from './form-shape.ts';
import classes from './launch.module.css';
import { LoadFields, ScenarioField } from './load-fields.tsx';
import { MoreOfOrigins, trustField } from './more-of-origins.tsx';
import { MachineStrip, PlanField, usePlan } from './plan-field.tsx';
import { placeOf, questionOf } from './question-form.tsx';
import { SideFields } from './side-fields.tsx';
import { ManagedFields, PreflightPanel, TargetField } from './target-fields.tsx';
import type { Launch } from './use-launch.ts';

/** From the address to Start; everything else is folded away. */
export function LaunchCard({ launch }: { launch: Launch }) {
  const { fields, lookup, preflight, secretNames } = launch;
  const { form, set, messages } = fields;
  const report = preflight.data;
  const plan = usePlan(form);
  const { data: scenarios = [] } = useQuery(scenariosQuery);
  const trusted = trustAsked(lookup.found, form);
  const time = plan.takes === null ? '' : `, ${plan.takes}`;
  const trustAction = `Trust and start${time}`;
  const isWrong = Object.keys(messages).some((name) => !shownAbove.includes(name));
  return (
    <RequestForm
      calls={starting}
      action={trusted === null ? `Start run${time}` : trustAction}
      onSubmit={() => launch.start({ length: plan.length, ...trusted })}
      pending={launch.pending}
      error={launch.error}
      problem={launch.problem}
      below={
        <div className="stack snug">
          <PreflightPanel
            pending={preflight.isPending}
            report={report}
            error={preflight.error}
            trustAction={trustAction}
            onTrust={(trust) =>
              report !== undefined && launch.start({ length: plan.length, [trustField(report, form)]: trust })
            }
            twin={form.twin === '' ? (lookup.found?.twin ?? null) : null}
            onTwin={(twin) => launch.take({ twin })}
            onVersion={
              form['sides.comparison.tls.version'] === ''
                ? (version) => launch.take({ 'tls.version': version })
                : null
            }
          />
          <MoreFields title="Options" lead={optionsInWords(form, scenarios)} open={isWrong}>
            <Options {...fields} />
          </MoreFields>
        </div>
      }
    >
      <TargetField launch={launch} />
      <QuestionProblem form={form} />
      {form.targetKind === 'managed' ? <ManagedFields {...fields} /> : null}
      {secretNames.length === 0 ? null : (
        <fieldset className={classes.group}>
          <legend>Scenario secrets</legend>
          <p className="soft">Kept in memory until the run ends. Never stored or shown.</p>
          <FieldRow>
            <SecretFields
              names={secretNames}
              values={form.secrets}
              error={messages.secrets}
              onChange={(secrets) => set({ secrets })}
            />
          </FieldRow>
        </fieldset>
      )}
      <PlanField form={form} set={set} plan={plan} />
    </RequestForm>
  );
}

/** Fields that are not among the options. */
const shownAbove: readonly string[] = [
  ...['http', 'https', 'path', 'secrets', 'server', 'question'],
  ...['sides.comparison.target.origin', 'sides.comparison.target.server', 'target.documents'],
];

/** Fingerprint that Start puts into the form if a certificate has to be trusted first; null if none has to. */
function trustAsked(lookup: Lookup | undefined, form: LaunchForm): Partial<LaunchForm> | null {
  if (form.targetKind !== 'origins') return null;
  const asking = (lookup?.found ?? []).find(({ tls }) => tls?.certificate.trusted === 'asks');
  if (asking?.tls == null) return null;
  const { fingerprint } = asking.tls.certificate;
  return asking.origin === otherOrigin(form) && asking.origin !== form.https
    ? { 'sides.comparison.target.trust': fingerprint }
    : { trust: fingerprint };
}

/** Everything that most people leave as it is. */
function Options(fields: FieldProps) {
  const { form, set } = fields;
  const limits = useQuery(limitsQuery);
  const runners = useQuery({ ...runnersQuery, enabled: limits.data?.generators === true });
  const isMeasuredHere = limits.data?.measures !== false && Object.keys(form.labelValues).length === 0;
  return (
    <div className="stack snug">
      {isMeasuredHere && <MachineStrip form={form} />}
      <ScenarioField {...fields} />
      <SideFields {...fields} />
      <LoadFields
        {...fields}
        hasHosts={(runners.data?.generators ?? []).length > 0}
        hasPods={(limits.data?.pods ?? 0) > 0}
      />
      <ResumedField set={set} />
      {form.targetKind === 'origins' ? <MoreOfOrigins {...fields} /> : null}
      <RunnerField {...fields} />
      <Link to="/lab/mesh">What does a proxy or a sidecar cost?</Link>
    </div>
  );
}

/** `GET /page.html · HTTP → HTTPS · connections stay open · as many users as keep it busy`. */
function optionsInWords(form: LaunchForm, scenarios: readonly Named[]): string {
  const { connectionPolicy, users } = form;
  const scenario = asksPaths(form) ? `GET ${form.path.trim()}` : scenarioInWords(form, scenarios);
  return [
    ...(scenario === null ? [] : [scenario]),
    differencesInWords(form) ?? 'two equal sides, to see the noise',
    connectionPolicy === 'keep-alive' ? 'connections stay open' : 'new connections',
    users.trim() === '' ? 'as many users as keep it busy' : `${users.trim()} users`,
  ].join(' · ');
}

type Named = { id: string; name: string };

/** Null where only its ID is known. */
function scenarioInWords(form: LaunchForm, scenarios: readonly Named[]): string | null {
  if (form.scenario === ownScenario) return nameOfOwn(form);
  const id = storedScenarioOf(form);
  return id === null ? 'one document' : (scenarios.find((each) => each.id === id)?.name ?? null);
}

/** Why the question cannot be answered by the chosen target. */
function QuestionProblem({ form }: { form: LaunchForm }) {
  const name = questionOf(form);
  const kTls = useKTlsProblem(form);
  const problem = (name === null ? null : questionProblem(name, placeOf(form))) ?? kTls;
  return problem === null ? null : (
    <p role="alert" className={classes.problem}>
      {problem}
    </p>
  );
}

/** Why the chosen server cannot leave encryption to the kernel, where a side is to. */
function useKTlsProblem(form: LaunchForm): string | null {
  const { targetKind, server, 'target.kTls': both, 'sides.comparison.target.kTls': other } = form;
  const asked = targetKind === 'managed' && (other === '' ? both : other === 'true' || both);
  const { data: found } = useQuery({ ...managedServersQuery, enabled: asked });
  return asked ? (found?.find(({ name }) => name === server)?.kTlsProblem ?? null) : null;
}

type RunnerProps = { form: LaunchForm; set: SetField };

/** Choice of runners that are connected. Renders nothing without a choice. */
function RunnerField({ form, set }: RunnerProps) {
  const { labelValues } = form;
  const limits = useQuery(limitsQuery);
  // A server that measures alone has none to ask for.
  const { data } = useQuery({ ...runnersQuery, enabled: limits.data?.runners === true });
  if (data === undefined) return null;
  const runners = (data.runners ?? []).filter(isHere);
  const offered = new Map(labelChoices(runners));
  // Earlier choices stay, so that they can be removed.
  const names = [...new Set([...offered.keys(), ...Object.keys(labelValues)])];
  if (names.length === 0) return null;
  const sites = sitesOf(form);
  const alone = sites.find((site) => !runners.some(({ labels }) => hasLabels(labels, site)));
  const choose = (name: string, values: string[]) => {
    const { [name]: _, ...others } = labelValues;
    set({ labelValues: values.length === 0 ? others : { ...others, [name]: values } });
  };
  return (
    <div className={classes.stack}>
      {names.map((name) => {
        const chosen = labelValues[name] ?? [];
        const values = [...new Set([...(offered.get(name) ?? []), ...chosen])];
        return (
          <CheckPills
            key={name}
            legend={`Runner’s ${name}`}
            name={`label-${name}`}
            values={chosen}
            onChange={(changed) => choose(name, changed)}
            choices={values.map((value) => ({ value, label: value }))}
          />
        );
      })}
      <p className="soft" role="status">
        {alone === undefined
          ? sitesInWords(sites.length)
          : `No runner with ${printLabels(alone)} is connected.`}
      </p>
    </div>
  );
}

function sitesInWords(count: number): string {
  if (count === 0) return 'Any runner can measure. Choose several to compare sites.';
  return count === 1 ? '' : `Starts ${printCount(count, 'run')} at once, one at each site.`;
}

/** The whole pasted text is read, but the field shows only a part: the browser would lay out a whole log at every key. */
const mostShown = 100_000;

type Found = ReturnType<typeof readResumedShare>;

/** Share of sessions to resume, from a log or counters of the reader's own server. Pasted text stays in the browser. */
function ResumedField({ set }: { set: SetField }) {
  const [text, setText] = useState('');
  /** Undefined while a text is being read. */
  const [found, setFound] = useState<Found | undefined>(null);
  const read = useReader((share) => {
    setFound(share);
    if (share !== null) set({ 'tls.resumption': 'mix', 'tls.resumedShare': String(share.share) });
  });
  const isWrong = found === null && text.trim() !== '';
  return (
    <MoreFields title="Resumption as in your log">
      <Textarea
        label="Log or counters"
        description="Lines of nginx with $ssl_session_reused, or Envoy’s ssl.handshake and ssl.session_reused"
        value={text}
        error={isWrong ? 'This says nothing of resumed sessions.' : undefined}
        onChange={({ currentTarget: { value } }) => {
          setText(cut(value, mostShown));
          setFound(undefined);
          read(value);
        }}
        autosize
        minRows={3}
        maxRows={8}
        spellCheck={false}
      />
      {found ? (
        <p role="status">
          {found.share} % of {printNumber(found.of, 0)} {found.unit} resumed a session. Both sides now do so.
        </p>
      ) : null}
    </MoreFields>
  );
}

/** Reads only the latest text: a new text, or leaving the page, ends the worker on an earlier one. */
function useReader(onFound: (share: Found) => void): (text: string) => void {
  const reading = useRef<Worker | null>(null);
  useEffect(() => () => reading.current?.terminate(), []);
  return (text) => {
    reading.current?.terminate();
    const worker = new Worker(new URL('./resumed-share-worker.ts', import.meta.url), { type: 'module' });
    reading.current = worker;
    worker.onmessage = ({ data }: MessageEvent<Found>) => {
      worker.terminate();
      onFound(data);
    };
    worker.postMessage(text);
  };
}
