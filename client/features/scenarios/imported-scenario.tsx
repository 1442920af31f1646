import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { recordingEndpoints, scenarioEndpoints } from '../../../shared/api/scenario-endpoints.ts';
import type { Correlation, ImportReport, LeftOut, Secret } from '../../../shared/scenario/import.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import { callEndpoint } from '../../api/late-call.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Notice } from '../../components/card.tsx';
import { Form, SecretFields, SwitchLine } from '../../components/form-fields.tsx';
import { ChoicePills } from '../../components/pills.tsx';
import { PagePicture } from '../../components/result-head.tsx';
import { describeRule } from '../../format/browser-action.ts';
import { printCount } from '../../format/printed-figures.ts';
import { fromSource, type ImportForm, sourceName } from './import-form.ts';
import classes from './scenarios.module.css';
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

type SecretsProps = {
  secrets: readonly Secret[];
  declined: readonly string[];
  decide: (part: Partial<ImportForm>) => void;
};

/** Values that were taken for secrets. A switch restores a value that is not secret. */
function FoundSecrets({ secrets, declined, decide }: SecretsProps) {
  if (secrets.length === 0) return null;
  return (
    <div>
      <h4>Secrets</h4>
      <p className={classes.hint}>
        Their values were removed. Enter them when you start a run. Turn off what is not secret to keep its
        value.
      </p>
      <div className="stack snug">
        {secrets.map(({ name, why, declined: isDeclined }) =>
          isDeclined === undefined ? (
            <p key={name} className={classes.plain}>
              <code>{`\${secret:${name}}`}</code> {why}
            </p>
          ) : (
            <SwitchLine
              key={name}
              label={`\${secret:${name}}`}
              detail={why}
              checked={!isDeclined}
              onChange={(isSecret) =>
                decide({
                  declined: isSecret ? declined.filter((other) => other !== name) : [...declined, name],
                })
              }
            />
          ),
        )}
      </div>
    </div>
  );
}

const places = [
  { value: 'written', label: 'Original address' },
  { value: 'storefront', label: 'Demo shop' },
  { value: 'origin', label: 'Another origin' },
] as const;
type Place = (typeof places)[number]['value'];

/** Replays a browser test in a browser on the server, so that its clicks and typing become requests. */
function ReplayActions({ report }: { report: ImportReport }) {
  const [place, setPlace] = useState<Place>('written');
  const [origin, setOrigin] = useState('');
  const [secrets, setSecrets] = useState<Record<string, string>>({});
  const needed = secretsOf(report);
  const navigate = useNavigate();
  const replay = useMutation({
    mutationFn: () =>
      callEndpoint(recordingEndpoints.createReplay, {
        body: {
          actions: report.actions,
          name: report.scenario?.name ?? 'Replayed',
          secrets,
          ...(place === 'written' ? {} : { at: place === 'origin' ? origin.trim() : place }),
        },
      }),
    onSuccess: ({ sid }) => navigate(`/scenarios?recording=${sid}`),
  });
  return (
    <Form className="stack" aria-labelledby="replay-title" onSubmit={() => replay.mutate()}>
      <div>
        <h4 id="replay-title">Replay in a browser</h4>
        <p className={classes.hint}>
          A browser on the server performs the actions. The requests it sends become the scenario.
        </p>
      </div>
      <ChoicePills
        legend="Replay at"
        legendShown
        name="replay-place"
        value={place}
        onChange={setPlace}
        choices={places}
      />
      {place === 'origin' ? (
        <TextInput
          label="Origin"
          placeholder="http://127.0.0.1:8080"
          value={origin}
          required
          maxLength={300}
          onChange={(event) => setOrigin(event.currentTarget.value)}
          inputMode="url"
          autoComplete="off"
        />
      ) : null}
      <SecretFields names={needed} values={secrets} required onChange={setSecrets} />
      <ProblemNotice error={replay.error} />
      <div>
        <ActionButton type="submit" variant="default" pending={replay.isPending}>
          Start replay
        </ActionButton>
      </div>
    </Form>
  );
}

/** Secrets that the actions type; the others are entered at launch. */
function secretsOf({ secrets, actions }: ImportReport): string[] {
  const text = JSON.stringify(actions);
  return secrets.map(({ name }) => name).filter((name) => text.includes(`\${secret:${name}}`));
}

type DecisionsProps = { report: ImportReport; form: ImportForm; decide: (part: Partial<ImportForm>) => void };

/** Decisions that only the user can make: which requests belong to the scenario, and which values the server makes. */
function ImportDecisions({ report, form, decide }: DecisionsProps) {
  const { leftOut, correlations, format } = report;
  if (format !== 'har' && format !== 'recording') return null;
  const accepted = form.accepted ?? [];
  return (
    <>
      <div className="stack snug">
        <SwitchLine
          label="Keep static files"
          detail={countOf(leftOut, 'static_file', 'Style sheets, scripts, images, fonts')}
          checked={form.staticFiles}
          onChange={(staticFiles) => decide({ staticFiles })}
        />
        <SwitchLine
          label="Keep requests to other hosts"
          detail={countOf(leftOut, 'third_party', 'Sent to the target instead')}
          checked={form.thirdParties}
          onChange={(thirdParties) => decide({ thirdParties })}
        />
        <ChoicePills
          legend="Think time"
          legendShown
          name="think-times"
          value={form.thinkTimeScale}
          choices={[
            { value: '1', label: 'As recorded' },
            { value: '0.5', label: 'Half' },
            { value: '0', label: 'None' },
          ]}
          onChange={(thinkTimeScale) => decide({ thinkTimeScale })}
        />
      </div>
      {correlations.length === 0 ? null : (
        <div>
          <h4>Dynamic values</h4>
          <p className={classes.hint}>
            Each value came from an earlier response. If on, every visit extracts it from that response again.
            If off, it is sent as recorded.
          </p>
          <div className="stack snug">
            {correlations.map((each) => {
              const { variable } = each.extract;
              return (
                <SwitchLine
                  key={variable}
                  label={variable}
                  detail={describeUses(each, report)}
                  checked={accepted.includes(variable)}
                  onChange={(on) =>
                    decide({
                      accepted: on ? [...accepted, variable] : accepted.filter((name) => name !== variable),
                    })
                  }
                />
              );
            })}
          </div>
        </div>
      )}
    </>
  );
}

const placeWords: Record<Correlation['uses'][number]['place'], (name: string) => string> = {
  path: (number) => `path segment ${number}`,
  query: (name) => `query field ${name}`,
  form: (name) => `form field ${name}`,
  json: (name) => `JSON field ${name}`,
  header: (name) => `header ${name}`,
};

function countOf(leftOut: readonly LeftOut[], reason: LeftOut['reason'], otherwise: string): string {
  const left = leftOut.find((each) => each.reason === reason);
  if (left === undefined) return otherwise;
  return `${printCount(left.count, 'request')} left out: ${left.what.join(', ')}`;
}

function describeUses({ extract, step, uses }: Correlation, { scenario }: ImportReport): string {
  const name = (index: number) => `“${scenario?.steps[index]?.name ?? index + 1}”`;
  const places = uses.map((use) => `${placeWords[use.place](use.name)} in ${name(use.step)}`);
  const shown = places.slice(0, 3).join(', ');
  const more = places.length > 3 ? ` and ${places.length - 3} more` : '';
  return `Extracted ${describeRule(extract)} in ${name(step)}, for ${shown}${more}`;
}
