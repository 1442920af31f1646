import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { addressOf } from '../../../shared/api/call-endpoint.ts';
import { scenarioEndpoints } from '../../../shared/api/scenario-endpoints.ts';
import { ProblemError } from '../../../shared/base/problem.ts';
import { isDoneByHand } from '../../../shared/scenario/browser-actions.ts';
import { exportProblems } from '../../../shared/scenario/export-problems.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import type { ExportFormat, StoredScenario } from '../../../shared/scenario/stored-scenario.ts';
import { mayCall } from '../../api/identity.ts';
import { callEndpoint } from '../../api/late-call.ts';
import { scenarioQuery } from '../../api/queries.ts';
import { ActionButton, ButtonRow } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Section } from '../../components/card.tsx';
import { DeleteButton } from '../../components/dialog.tsx';
import { LinkButton } from '../../components/links.tsx';
import { printWhen } from '../../format/printed-figures.ts';
import type { Messages } from './scenario-draft.ts';
import classes from './scenarios.module.css';

/** A scenario's revisions on this server, and copies for other tools. */
export function KeepSection({ stored, touched }: { stored: StoredScenario; touched: boolean }) {
  return (
    <>
      <Export stored={stored} touched={touched} />
      {stored.revisions.length === 0 ? null : <Revisions stored={stored} />}
    </>
  );
}

function Export({ stored, touched }: { stored: StoredScenario; touched: boolean }) {
  const { id, site, actions } = stored;
  const [origin, setOrigin] = useState(
    site === null || site === 'storefront' ? 'http://127.0.0.1:8080' : site,
  );
  const known = URL.canParse(origin) && /^https?:/.test(origin);
  const writable = exports.filter(({ as }) => problemsOf(stored, as).length === 0);
  const refused = exports.filter((each) => !writable.includes(each));
  const problems = [...new Set(refused.flatMap(({ as }) => problemsOf(stored, as)))];
  return (
    <Section
      id="export"
      title="Export"
      lead={
        touched
          ? 'Exports the saved version. Your edits are not included.'
          : 'Secrets are exported as names, without values.'
      }
      card
    >
      <div className={classes.editorFacts}>
        <TextInput
          label="Target address"
          value={origin}
          error={known ? undefined : 'Enter an address such as http://127.0.0.1:8080'}
          onChange={(event) => setOrigin(event.currentTarget.value)}
          inputMode="url"
          spellCheck={false}
        />
        <ul className={classes.exports}>
          {writable.map(({ as, title }) => (
            <li key={as}>
              <a
                href={addressOf(scenarioEndpoints.exportScenario, {
                  params: { id },
                  query: { as, origin: known ? origin : undefined },
                })}
                download
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
        {problems.length === 0 ? null : (
          <p className="soft">
            Not as {refused.map(({ title }) => title).join(' or ')}: {problems.join(' ')}
          </p>
        )}
        {isDoneByHand(actions) ? (
          <p className="soft">The Playwright test replays the recorded browser actions.</p>
        ) : null}
      </div>
    </Section>
  );
}

/** A Playwright test of browser actions has no checks and values of steps. */
function problemsOf({ scenario, actions }: StoredScenario, as: ExportFormat): string[] {
  return as === 'playwright' && isDoneByHand(actions) ? [] : exportProblems(scenario, as);
}

const exports: { as: ExportFormat; title: string }[] = [
  { as: 'playwright', title: 'Playwright test' },
  { as: 'k6', title: 'k6 script' },
  { as: 'curl', title: 'curl commands' },
  { as: 'har', title: 'HAR' },
  { as: 'json', title: 'TLS Toll JSON' },
];

const origins = { editor: 'written', import: 'imported', recording: 'recorded' } as const;

function Revisions({ stored: { revisions } }: { stored: StoredScenario }) {
  return (
    <Section
      id="revisions"
      title="Revisions"
      lead="Revisions never change. Each run links to the one it used."
      card
    >
      <ol className={classes.revisions} reversed>
        {revisions.map(({ id, number, createdAt, origin }) => (
          <li key={id}>
            <Link to={`/s/${id}`}>Revision {number}</Link>, {origins[origin]} {printWhen(createdAt)}
          </li>
        ))}
      </ol>
    </Section>
  );
}

type Props = {
  stored: StoredScenario | null;
  /** Null while something in it is not right. */
  scenario: Scenario | null;
  touched: boolean;
  /** Receives the server's messages, by field. */
  onProblem: (messages: Messages) => void;
  onSaved: (saved: StoredScenario) => void;
};

/** A change of a stored scenario is a new revision of it; anything else is a new scenario. */
export function EditorActions({ stored, scenario, touched, onProblem, onSaved }: Props) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const own = stored === null || stored.builtIn ? null : stored;
  const save = useMutation({
    mutationFn: (scenario: Scenario) =>
      own === null
        ? callEndpoint(scenarioEndpoints.createScenario, { body: { scenario, origin: 'editor' } })
        : callEndpoint(scenarioEndpoints.changeScenario, {
            params: { id: own.id },
            body: { scenario, origin: 'editor', basedOn: own.revision?.number },
          }),
    onSuccess: async (saved) => {
      onSaved(saved);
      queryClient.setQueryData(scenarioQuery(saved.id).queryKey, saved);
      await queryClient.invalidateQueries({ queryKey: ['scenarios'] });
      if (saved.id !== own?.id) await navigate(`/scenarios/${saved.id}`);
    },
    onError: (error) => {
      if (!(error instanceof ProblemError)) return;
      const errors = error.problem.errors ?? [];
      onProblem(
        Object.fromEntries(errors.map(({ field, message }) => [field.replace(/^scenario\./, ''), message])),
      );
    },
  });
  if (!mayCall(scenarioEndpoints.createScenario)) return null;
  const blocked = scenario === null || (own !== null && !touched);
  const words =
    stored === null ? 'Save scenario' : own === null ? 'Save as new scenario' : 'Save new revision';
  return (
    <>
      <ProblemNotice error={save.error} />
      <ButtonRow>
        <ActionButton
          variant={touched || stored === null ? 'filled' : 'default'}
          pending={save.isPending}
          blocked={blocked}
          onClick={() => {
            if (scenario !== null) save.mutate(scenario);
          }}
          data-testid="save"
        >
          {words}
        </ActionButton>
        {stored === null ? null : (
          <LinkButton to={`/?scenario=${stored.id}`} variant={touched ? 'default' : 'filled'}>
            {touched ? 'Run saved version' : 'Run this scenario'}
          </LinkButton>
        )}
        {own === null ? null : <DeleteScenario id={own.id} name={own.scenario.name} />}
      </ButtonRow>
      {touched && scenario === null ? <p className="soft">Correct the marked fields to save.</p> : null}
      {!touched && stored === null && scenario === null ? (
        <p className="soft">Name the scenario below the steps to save or try it.</p>
      ) : null}
    </>
  );
}

function DeleteScenario({ id, name }: { id: string; name: string }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  async function remove() {
    await callEndpoint(scenarioEndpoints.deleteScenario, { params: { id } });
    await navigate('/scenarios');
    queryClient.removeQueries({ queryKey: ['scenario', id] });
    await queryClient.invalidateQueries({ queryKey: ['scenarios'] });
  }
  return (
    <DeleteButton what={`“${name}”`} onDelete={remove}>
      The scenario is removed from the list. Revisions that runs used keep their links.
    </DeleteButton>
  );
}
