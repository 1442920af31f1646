import { Link } from 'react-router';
import type { Revision } from '../../../shared/scenario/stored-scenario.ts';
import { revisionQuery } from '../../api/queries.ts';
import { ButtonRow, CopyLink, PageHead } from '../../components/action-button.tsx';
import { Badge, Card, Section } from '../../components/card.tsx';
import { LinkButton } from '../../components/links.tsx';
import { Permalinked } from '../../components/permalinked.tsx';
import { describeRule } from '../../format/browser-action.ts';
import { printCount, printWhen } from '../../format/printed-figures.ts';
import classes from './scenarios.module.css';

/** `/s/{id}`: a revision as a run used it, for good. */
export default function RevisionPage() {
  return (
    <Permalinked query={revisionQuery} code="revision_not_found" waiting="Loading the revision">
      {(revision) => <RevisionView revision={revision} />}
    </Permalinked>
  );
}

function RevisionView({ revision }: { revision: Revision }) {
  const { id, scenarioId, number, createdAt, scenario, secrets } = revision;
  return (
    <>
      <PageHead
        tab={`${scenario.name}, revision ${number}`}
        title={scenario.name}
        above={
          <Badge tone="quiet">
            Revision {number}, {printWhen(createdAt)}
          </Badge>
        }
      >
        {scenario.description === '' ? null : <p>{scenario.description}</p>}
        <p>This page never changes. {secretsInWords(secrets)}</p>
        <ButtonRow>
          <LinkButton to={`/?scenario=${id}`}>Run this revision</LinkButton>
          <LinkButton to={`/scenarios/${scenarioId}`}>Open newest revision</LinkButton>
          <CopyLink link={`${location.origin}/s/${id}`} />
        </ButtonRow>
      </PageHead>
      <Card>
        <ol className={classes.revisionPageSteps}>
          {scenario.steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have no name of their own, and never change
            <li key={index} data-off={!step.enabled}>
              <p>
                <strong>{step.name}</strong> {step.enabled ? null : <Badge tone="quiet">Off</Badge>}
              </p>
              <p>
                <code>
                  {step.method} {step.path}
                </code>
              </p>
              <p className={classes.revisionPageFacts}>
                {[
                  `expects ${step.expectStatus}`,
                  ...(step.thinkTimeMs === 0 ? [] : [`after ${step.thinkTimeMs} ms`]),
                  ...(step.checks.length === 0 ? [] : [printCount(step.checks.length, 'check')]),
                  ...step.extract.map((rule) => `${rule.variable}: ${describeRule(rule)}`),
                ].join(' · ')}
              </p>
            </li>
          ))}
        </ol>
      </Card>
      <Section id="source" title="Source">
        <p>
          <a href={`/s/${id}.json`}>View as JSON</a>, or see <Link to="/scenarios">all scenarios</Link>.
        </p>
        <details>
          <summary>Show JSON</summary>
          <pre className={classes.revisionPageSource}>{JSON.stringify(scenario, null, 2)}</pre>
        </details>
      </Section>
    </>
  );
}

function secretsInWords(secrets: readonly string[]): string {
  return secrets.length === 0 ? '' : `Enter its secrets (${secrets.join(', ')}) when you start the run.`;
}
