import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { capitalized, cut } from '../../../shared/base/cut.ts';
import { printNumber, printShare } from '../../../shared/base/quantity.ts';
import { type Length, lengthNames, lengths } from '../../../shared/kinds/comparison/options.ts';
import { questionNames, questions } from '../../../shared/kinds/comparison/questions.ts';
import type { readResumedShare } from '../../../shared/kinds/comparison/resumed-share.ts';
import { hasLabels, isHere, labelChoices, printLabels } from '../../../shared/measurement/runner-labels.ts';
import type { Machine } from '../../../shared/results/summary.ts';
import type { LocalServer, TargetKind } from '../../../shared/target/target.ts';
import { questionProblem, runsDiffer } from '../../../shared/words/question-words.ts';
import { starting } from '../../api/late-call.ts';
import {
  limitsQuery,
  localServersQuery,
  machineQuery,
  managedServersQuery,
  runnersQuery,
} from '../../api/queries.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { FieldRow, MoreFields } from '../../components/form-fields.tsx';
import { CheckPills, ChoiceCards } from '../../components/pills.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { printCount, printDuration } from '../../format/printed-figures.ts';
import { type LaunchForm, type SetField, sitesOf } from './form-shape.ts';
import classes from './launch.module.css';
import { LoadFields } from './load-fields.tsx';
import { MoreOfOrigins, trustField } from './more-of-origins.tsx';
import { holdsAddress, printAddress, splitAddress } from './pasted-address.ts';
import { askQuestion, placeOf, questionOf } from './question-form.ts';
import { SideFields } from './side-fields.tsx';
import { PreflightPanel, ScenarioField, TargetChoice, TargetFields } from './target-fields.tsx';
import { useLaunch } from './use-launch.ts';

export function LaunchCard() {
  const { fields, preflight, pending, error, problem, submit, check, take } = useLaunch();
  const { form } = fields;
  const limits = useQuery(limitsQuery);
  const runners = useQuery({ ...runnersQuery, enabled: limits.data?.generators === true });
  const isMeasuredHere = limits.data?.measures !== false && Object.keys(form.labelValues).length === 0;
  const report = preflight.data;
  const asksVersions = form['sides.comparison.tls.version'] !== '';
  return (
    <RequestForm
      calls={starting}
      action="Start run"
      onSubmit={submit}
      pending={pending}
      error={error}
      problem={problem}
      below={
        <div className="stack snug">
          <PreflightPanel
            pending={preflight.isPending}
            report={report}
            error={preflight.error}
            onTrust={(trust) => report !== undefined && take({ [trustField(report, form)]: trust })}
            onTwin={(twin) => take({ twin })}
            onVersion={asksVersions ? null : (version) => take({ 'tls.version': version })}
          />
          {isMeasuredHere && <MachineStrip form={form} />}
          <SideFields {...fields} />
          <LoadFields
            {...fields}
            hasHosts={(runners.data?.generators ?? []).length > 0}
            hasPods={(limits.data?.pods ?? 0) > 0}
          />
          <ResumedField set={fields.set} />
          {form.targetKind === 'origins' ? <MoreOfOrigins {...fields} /> : null}
          <RunnerField {...fields} />
          <Link to="/lab/mesh">What does a proxy or a sidecar cost?</Link>
        </div>
      }
      beside={
        <ActionButton variant="default" size="md" pending={preflight.isPending} onClick={check}>
          Check target
        </ActionButton>
      }
    >
      <FieldRow>
        <QuestionField form={form} set={fields.set} />
        <TargetChoice form={form} set={fields.set} />
      </FieldRow>
      {form.targetKind === 'managed' ? null : <AddressField form={form} set={fields.set} />}
      <TargetFields {...fields} />
      <ScenarioField {...fields} />
      <PlanField {...fields} />
    </RequestForm>
  );
}

/** How quiet the machine is now. */
function MachineStrip({ form }: { form: LaunchForm }) {
  const { data: machine } = useQuery(machineQuery);
  return (
    <p className={classes.machine} data-testid="machine">
      {machine === undefined
        ? 'Checking this machine.'
        : machineInWords(machine, form.length, form.targetKind)}
    </p>
  );
}

/** One field for the addresses of the application. Pasted or typed text is split into the fields below it. */
function AddressField({ form, set }: { form: LaunchForm; set: SetField }) {
  const [typed, setTyped] = useState('');
  const [wanted, setWanted] = useState(false);
  const take = (text: string) => {
    setTyped(text);
    set({ ...splitAddress(text, form), ...(text.trim() === '' ? {} : { targetKind: 'origins' }) });
  };
  return (
    <div>
      <TextInput
        label="Your application"
        placeholder="Paste its address: 127.0.0.1:8080, https://localhost:8443/shop, or two of them"
        value={holdsAddress(typed, form) ? typed : printAddress(form)}
        onChange={({ currentTarget: { value } }) => take(value)}
        onFocus={() => setWanted(true)}
        autoComplete="off"
        spellCheck={false}
      />
      <LocalServers wanted={wanted} onChoose={take} />
    </div>
  );
}

/**
 * `Other virtual machines took 18 % of this machine in the last 10 s.` And if the length is finer than what one run can say: `Runs differ by
 * about ±3.2 %. A longer run does not narrow that; three runs do, to about ±1.8 %.`
 */
export function machineInWords(machine: Machine, length: Length, target: TargetKind): string {
  const expected = machine.expected.find((each) => each.length === length && each.target === target);
  const isBelow = expected !== undefined && expected.between > lengths[length].precision;
  return [now(machine), ...(isBelow ? [runsDiffer(expected.between)] : [])].join(' ');
}

/** Below this, a share is not worth a word. */
const worthTelling = 0.005;
function now({ overS, stealRatio, foreignRatio, measuring }: Machine): string {
  if (measuring) return 'A measurement is running, so this one will wait.';
  if (stealRatio === null || foreignRatio === null) return 'Checking this machine.';
  const takers = [
    { who: 'other virtual machines', share: stealRatio },
    { who: 'other programs', share: foreignRatio },
  ].filter(({ share }) => share >= worthTelling);
  if (takers.length === 0) return `This machine was quiet in the last ${overS} s.`;
  const parts = takers.map(
    ({ who, share }, place) => `${who}${place === 0 ? ' took' : ''} ${printShare(share)}`,
  );
  return `${capitalized(parts.join(' and '))} of this machine in the last ${overS} s.`;
}

type Props = { form: LaunchForm; set: SetField };

/** Each length with the time that it is expected to take here. */
function PlanField({ form, set }: Props) {
  const { data: machine } = useQuery(machineQuery);
  return (
    <ChoiceCards
      look="segments"
      legend="Length"
      name="length"
      value={form.length}
      onChange={(length) => set({ length })}
      choices={lengthNames.map((length) => {
        const { title, precision, atMostS } = lengths[length];
        const expected = machine?.expected.find(
          (each) => each.length === length && each.target === form.targetKind,
        );
        const aside =
          expected === undefined
            ? `at most ${printDuration(atMostS)}`
            : `about ${printDuration(expected.seconds)}`;
        return { value: length, title, aside, body: `Difference in server CPU to ±${100 * precision} %` };
      })}
    />
  );
}

type ServersProps = {
  /** Once somebody is at the field: each of them is asked whether it speaks HTTP or TLS. */
  wanted: boolean;
  onChoose: (addresses: string) => void;
};

/** Servers on this machine, to choose one instead of typing. */
function LocalServers({ wanted, onChoose }: ServersProps) {
  const { data: servers = [] } = useQuery({ ...localServersQuery, enabled: wanted });
  if (servers.length === 0) return null;
  return (
    <ul className={classes.found} aria-label="Servers on this machine">
      {servers.map((server) => (
        <li key={addressesOf(server)}>
          <button type="button" onClick={() => onChoose(addressesOf(server))}>
            {titleOf(server)}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The first of each: which of several belong together is anybody's guess. */
function addressesOf({ http: [plain], https: [secure] }: LocalServer): string {
  return [
    ...(plain === undefined ? [] : [`http://127.0.0.1:${plain}`]),
    ...(secure === undefined ? [] : [`https://127.0.0.1:${secure}`]),
  ].join(' ');
}

/** `nginx on :8080 and :8443`. */
function titleOf({ program, http: [plain], https: [secure] }: LocalServer): string {
  const ports = [plain, secure].flatMap((port) => (port === undefined ? [] : [`:${port}`]));
  return `${program ?? 'A server'} on ${ports.join(' and ')}`;
}

/** Its title says all of it. */
const usual = questionNames[0];

/** Fills in both sides. Shows which question they ask, if it is one of these. */
function QuestionField({ form, set }: { form: LaunchForm; set: SetField }) {
  const name = questionOf(form);
  const problem = useKTlsProblem(form);
  const choices = questionNames.map((value) => ({ value: value as string, label: questions[value].title }));
  return (
    <NativeSelect
      label="Question"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={
        name === null ? 'What the sides differ by.' : name === usual ? undefined : questions[name].tells
      }
      error={(name === null ? null : questionProblem(name, placeOf(form))) ?? problem}
      value={name ?? ''}
      onChange={(event) => {
        const chosen = questionNames.find((each) => each === event.currentTarget.value);
        if (chosen !== undefined) set(askQuestion(form, chosen));
      }}
      data={name === null ? [{ value: '', label: 'A question of your own' }, ...choices] : choices}
    />
  );
}

/** Why the chosen server cannot leave encryption to the kernel, where a side is to. */
function useKTlsProblem(form: LaunchForm): string | null {
  const { targetKind, server, 'target.kTls': both, 'sides.comparison.target.kTls': other } = form;
  const asked = targetKind === 'managed' && (other === '' ? both : other === 'true' || both);
  const { data: found } = useQuery({ ...managedServersQuery, enabled: asked });
  return asked ? (found?.find(({ name }) => name === server)?.kTlsProblem ?? null) : null;
}

type FieldProps = { form: LaunchForm; set: SetField };

/** Choice of runners that are connected. Renders nothing without a choice. */
function RunnerField({ form, set }: FieldProps) {
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
