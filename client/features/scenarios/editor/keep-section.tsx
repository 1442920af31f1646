import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { addressOf } from '../../../../shared/api/call-endpoint.ts';
import { exchangeEndpoints } from '../../../../shared/api/exchange-endpoints.ts';
import { isDoneByHand } from '../../../../shared/scenario/browser-actions.ts';
import { exportProblems } from '../../../../shared/scenario/export-problems.ts';
import type { ExportFormat, StoredScenario } from '../../../../shared/scenario/stored-scenario.ts';
import { Section } from '../../../components/section.tsx';
import { printWhen } from '../../../format/when.ts';
import classes from '../scenarios.module.css';

/** What is kept of the scenario: its revisions here, and copies for other tools. */
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
                href={addressOf(exchangeEndpoints.exportScenario, {
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
