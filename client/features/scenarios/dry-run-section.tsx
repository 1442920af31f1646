import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dryRunEndpoints } from '../../../shared/api/question-endpoints.ts';
import { sideNames, sidesOfPair, type TransportPair } from '../../../shared/base/transport.ts';
import type { Site } from '../../../shared/scenario/import.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import type { Difference, DryRunAnswer, DryRunReport, DryRunStep } from '../../../shared/target/dry-run.ts';
import { mayCall } from '../../api/identity.ts';
import { callEndpoint } from '../../api/late-call.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Answer } from '../../components/answer.tsx';
import { Badge, type Fact, Facts, Icon, Notice, Section } from '../../components/card.tsx';
import { Form, SecretFields, SelectField, secretsIn } from '../../components/form-fields.tsx';
import { CheckColumns, SideMark } from '../../components/pills.tsx';
import { TargetFields } from '../../components/replay-target.tsx';
import { type TargetForm, targetOfForm, targetOfSite } from '../../format/browser-action.ts';
import { printBytes } from '../../format/printed-figures.ts';
import { type Side, type Sides, sidesOf } from '../../format/sides.ts';
import classes from './scenarios.module.css';

type Props = {
  /** Scenario on the screen, saved or not; null while it has an error. */
  scenario: Scenario | null;
  /** Site of the recording; null if not known. */
  site: Site | null;
};

export function DryRunSection({ scenario, site }: Props) {
  const [form, setForm] = useState<DryRunForm>(() => untouched(site));
  const secrets = scenario === null ? [] : namesOfSecrets(scenario);
  const request = scenario === null ? null : requestOf(form, scenario, secrets);
  const dryRun = useMutation({
    mutationFn: (body: NonNullable<typeof request>) => callEndpoint(dryRunEndpoints.dryRun, { body }),
  });
  const set = (change: Partial<DryRunForm>) => setForm({ ...form, ...change });
  if (!mayCall(dryRunEndpoints.dryRun)) return null;
  return (
    <Section
      id="dry-run"
      title="Dry run"
      lead="Visit each side once, without load, and compare the responses step by step."
      card
    >
      <Form
        className={classes.form}
        onSubmit={() => {
          if (request !== null) dryRun.mutate(request);
        }}
      >
        <div className={classes.dryRunFields}>
          <TargetFields
            label="Target"
            form={form.target}
            set={(change) => set({ target: { ...form.target, ...change } })}
          />
          <SelectField
            form={form}
            set={set}
            name="pair"
            label="Sides"
            data={Object.entries(pairs).map(([value, { label }]) => ({ value, label }))}
          />
          <SecretFields
            names={secrets}
            values={form.secrets}
            onChange={(values) => set({ secrets: values })}
          />
        </div>
        <div className="row">
          <ActionButton type="submit" variant="default" blocked={request === null} pending={dryRun.isPending}>
            Start dry run
          </ActionButton>
          {scenario !== null && request === null ? (
            <p className="soft">Enter the addresses of both sides to start it.</p>
          ) : null}
        </div>
      </Form>
      <div aria-live="polite">
        <Answer of={dryRun} waiting="Visiting both sides">
          {(report) => (
            <>
              {JSON.stringify(dryRun.variables) === JSON.stringify(request) ? null : (
                <p className={classes.older}>Out of date: you have made changes since. Run again.</p>
              )}
              <DryRunResult report={report} />
            </>
          )}
        </Answer>
      </div>
    </Section>
  );
}

type DryRunForm = {
  target: TargetForm;
  pair: keyof typeof pairs;
  secrets: Record<string, string>;
};

const pairs = {
  https: { label: 'HTTP and HTTPS', transports: ['http', 'https'] },
  h2: { label: 'HTTP and HTTPS with HTTP/2', transports: ['http', 'h2'] },
} as const satisfies Record<string, { label: string; transports: TransportPair }>;

/** @param site where the scenario was recorded */
export function untouched(site: Site | null): DryRunForm {
  return { target: targetOfSite(site), pair: 'https', secrets: {} };
}

/** Request body of a dry run. Null while a field is empty. */
export function requestOf(form: DryRunForm, scenario: Scenario, secrets: readonly string[]) {
  const target = targetOfForm(form.target);
  if (target === null) return null;
  const { id: _, ...unsaved } = scenario;
  return {
    target,
    sides: sidesOfPair(pairs[form.pair].transports),
    scenario: unsaved,
    secrets: Object.fromEntries(
      secrets.flatMap((name) => {
        const value = form.secrets[name] ?? '';
        return value === '' ? [] : [[name, value]];
      }),
    ),
  };
}

/** In the steps that are sent, as they stand on the screen. */
export function namesOfSecrets({ steps, pages, sensitivePaths }: Scenario): string[] {
  const sent = steps.filter(({ enabled }) => enabled).map(({ path, headers, body }) => [path, headers, body]);
  return secretsIn([sent, pages, sensitivePaths]);
}

function DryRunResult({ report: { preflight, steps } }: { report: DryRunReport }) {
  const sides = sidesOf(preflight.sides);
  const checks = sideNames.flatMap((side) => preflight.sides[side].checks);
  const failures = checks.filter(({ status }) => status === 'fail');
  const warnings = checks.filter(({ status }) => status === 'warn');
  return (
    <div className={classes.result} data-testid="dry-run-result">
      {preflight.ok ? (
        <Notice tone="good" title="Both sides can be compared.">
          {warnings.length === 0 ? null : (
            <ul className="plain">
              {warnings.map(({ message }) => (
                <li key={message}>{message}</li>
              ))}
            </ul>
          )}
        </Notice>
      ) : (
        <Notice tone="bad" title="A run with this scenario would be refused.">
          <ul className="plain">
            {[...new Set(failures.map(({ message }) => message))].map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </Notice>
      )}
      <ol className="stack plain">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two steps may have one name, and none moves here
          <StepResult key={index} step={step} sides={sides} />
        ))}
      </ol>
      <details>
        <summary>All checks</summary>
        <CheckColumns report={preflight} />
      </details>
    </div>
  );
}

function StepResult({ step, sides }: { step: DryRunStep; sides: Sides }) {
  const { name, differences, unexplained } = step;
  const { baseline: left, comparison: right } = step.sides;
  const grave = differences.some((difference) => difference.grave);
  const same = left !== null && right !== null && differences.length === 0;
  return (
    <li className={classes.dryRunStep}>
      <div className={classes.dryRunHead}>
        <h3>{name}</h3>
        {same ? (
          <Badge tone="good" icon="equal">
            Same on both sides
          </Badge>
        ) : left === null || right === null ? (
          <Badge tone="warn" icon="minus">
            Not reached on {left === null && right === null ? 'either side' : 'one side'}
          </Badge>
        ) : (
          <Badge tone={grave ? 'bad' : 'note'} icon={grave ? 'cross' : 'info'}>
            {grave ? 'The sides differ' : 'Small differences'}
          </Badge>
        )}
      </div>
      <div className={classes.sides}>
        <SideAnswer side={sides.baseline} answer={left} differences={differences} />
        <SideAnswer side={sides.comparison} answer={right} differences={differences} />
      </div>
      {differences.length === 0 ? null : (
        <ul className={classes.differences} aria-label="Differences">
          {differences.map(({ message, grave }) => (
            <li key={message} data-grave={grave}>
              <Icon name={grave ? 'cross' : 'info'} />
              <span>{message}</span>
            </li>
          ))}
        </ul>
      )}
      {unexplained.length === 0 ? null : (
        <div className={classes.unexplained}>
          <h4>Differs from the recording</h4>
          <ul className="plain">
            {unexplained.map((said) => (
              <li key={said}>{said}</li>
            ))}
          </ul>
        </div>
      )}
    </li>
  );
}

type ResultProps = { side: Side; answer: DryRunAnswer | null; differences: readonly Difference[] };

/** One side's answer to a step; values that differ on the other side are marked. */
function SideAnswer({ side, answer, differences }: ResultProps) {
  const { key: _, ...look } = side;
  return (
    <section className={classes.side} aria-label={side.label}>
      <h4>
        <SideMark {...look} /> {side.label}
      </h4>
      {answer === null ? (
        <p className={classes.soft}>Not sent.</p>
      ) : (
        <Facts facts={factsOf(answer, differences)} />
      )}
      {answer === null ? null : (
        <details>
          <summary>Headers</summary>
          <ul className={classes.headers}>
            {answer.headers.map(([name, value]) => (
              <li key={name}>
                <code>
                  {name}: {value}
                </code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function factsOf(answer: DryRunAnswer, differences: readonly Difference[]): Fact[] {
  const differs = (...kinds: Difference['what'][]) => differences.some(({ what }) => kinds.includes(what));
  const mark = (text: string, marked: boolean) => (marked ? <mark>{text}</mark> : text);
  const { method, path, status, location, contentType, contentEncoding, bodyBytes, bodySha256 } = answer;
  return [
    { name: 'Request', value: mark(`${method} ${path}`, differs('request')) },
    { name: 'Status', value: mark(String(status), differs('status')) },
    ...(location === null ? [] : [{ name: 'Redirect', value: mark(location, differs('redirect')) }]),
    ...(contentType === '' ? [] : [{ name: 'Type', value: mark(contentType, differs('type')) }]),
    ...(contentEncoding === ''
      ? []
      : [{ name: 'Encoding', value: mark(contentEncoding, differs('encoding')) }]),
    {
      name: 'Body',
      value: mark(`${printBytes(bodyBytes)}, SHA-256 ${bodySha256.slice(0, 10)}…`, differs('body')),
    },
    ...answer.variables.map(({ name, value }) => ({ name: `\${${name}}`, value: shorten(value) })),
    ...(answer.problem === null ? [] : [{ name: 'Error', value: mark(answer.problem, true) }]),
  ];
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
