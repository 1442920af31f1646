import { metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { askedSidesOf } from '../../../../shared/kinds/comparison/side.ts';
import { poolInWords } from '../../../../shared/words/pool-words.ts';
import { differencesInWords, differencesOfSides } from '../../../../shared/words/side-words.ts';
import { targetsInSentence } from '../../../../shared/words/targets-of-sides.ts';
import { evidenceOf } from '../../../../shared/words/verdict-evidence.ts';
import { Badge } from '../../../components/badge.tsx';
import { Notice } from '../../../components/notice.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { SideMark } from '../../../components/side-mark.tsx';
import { Term } from '../../../components/term.tsx';
import { printCount } from '../../../format/count.ts';
import { printDuration } from '../../../format/duration.ts';
import { type Look, lookOfOutcome, lookOfState } from '../../../format/outcome.ts';
import { sidesOf } from '../../../format/side.ts';
import { printWhen } from '../../../format/when.ts';
import { asideInWords, countWindows } from '../windows.ts';
import { Explained } from './explained.tsx';
import { meaningOfOutcome } from './terms.ts';
import classes from './verdict-head.module.css';
import { isMeasured } from './what-is-there.ts';

type Props = { document: ShownRun; takeFocus: boolean };

/** The answer in one sentence; for a run that did not finish, what happened and what to try. */
export function VerdictHead({ document, takeFocus }: Props) {
  const { verdict, problem, state } = document;
  const finished = state === 'finished' && verdict !== null;
  const title = finished ? verdict.sentence : (problem?.title ?? lookOfState(state).word);
  const look = finished ? lookOfVerdict(document) : lookOfState(state);
  return (
    <PageHead
      tab={finished ? `${look.word}, ${document.scenario.name}` : title}
      title={title}
      testId={finished ? 'verdict' : 'state'}
      takeFocus={takeFocus}
      above={
        <Badge tone={look.tone} icon={look.icon}>
          {finished ? (
            <Term meaning={meaningOfOutcome(document.plan, verdict.outcome)}>{look.word}</Term>
          ) : (
            look.word
          )}
        </Badge>
      }
    >
      <Differences document={document} />
      {finished ? <Pooled document={document} /> : null}
      {finished ? <Evidence document={document} /> : null}
      {finished || problem === null ? null : (
        <Notice tone={state === 'failed' ? 'bad' : 'warn'} title={problem.detail}>
          <p>{problem.advice}</p>
          <p>{whatIsThere(document)}</p>
        </Notice>
      )}
      <Setting document={document} />
    </PageHead>
  );
}

/** What the sides were to differ by; nothing where their names say it. */
function Differences({ document }: { document: ShownRun }) {
  const request = askedSidesOf(document);
  const said = differencesInWords(request);
  if (said === null) return null;
  const differences = differencesOfSides(request);
  if (differences.length === 0)
    return (
      <p className={classes.nullRun} data-testid="differences">
        {said}
      </p>
    );
  const { baseline, comparison } = sidesOf(document.sides);
  return (
    <dl className={classes.differences} data-testid="differences">
      {differences.map(({ id, name, values }) => (
        <div key={id}>
          <dt>{name}</dt>
          <dd>
            <SideMark {...baseline} /> {values.baseline} → <SideMark {...comparison} /> {values.comparison}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What this run and the earlier ones of its question say together; nothing for the first one. */
function Pooled({ document }: { document: ShownRun }) {
  const pooled = poolInWords(document);
  if (pooled === null) return null;
  return (
    <p className={classes.pooled} data-testid="pooled">
      <Explained plan={document.plan}>{pooled}</Explained>
    </p>
  );
}

/** In one line: the amount, its interval, and what it is over. */
function Evidence({ document }: { document: ShownRun }) {
  const evidence = evidenceOf(document);
  if (evidence === null) return null;
  return (
    <p className={classes.evidence} data-testid="evidence">
      <Explained plan={document.plan}>{evidence}</Explained>
    </p>
  );
}

function Setting({ document }: { document: ShownRun }) {
  const { scenario, plan, createdAt, startedAt, endedAt } = document;
  const took = startedAt === null || endedAt === null ? null : printDuration((endedAt - startedAt) / 1000);
  const { baseline, comparison } = sidesOf(document.sides);
  const launches = launchesInWords(document);
  return (
    <ul className={classes.setting}>
      <li>
        {scenario.name} on {targetsInSentence(document)}
      </li>
      <li>
        {baseline.label} and {comparison.label}
      </li>
      <li>{took === null ? plan.preset : `${plan.preset}, ${took}`}</li>
      {launches === null ? null : <li>{launches}</li>}
      <li data-testid="blocks-count">
        <Explained plan={document.plan}>{blocksInWords(document)}</Explained>
      </li>
      <li>
        <time dateTime={new Date(createdAt).toISOString()}>{printWhen(createdAt)}</time>
      </li>
    </ul>
  );
}

/** Null where there are none, and where the evidence counts them. */
function launchesInWords(document: ShownRun): string | null {
  const { launches, plan } = document;
  if (launches.length === 0) return null;
  if (plan.launches.maximum === 1) return '1 launch';
  return evidenceOf(document) === null ? printCount(launches.length, 'launch') : null;
}

function blocksInWords({ blocks }: ShownRun): string {
  const dropped = blocks.filter(({ reasons }) => reasons.length > 0).length;
  const aside = asideInWords(countWindows(blocks));
  return [
    printCount(blocks.length, 'block'),
    ...(dropped === 0 ? [] : [`${dropped} left out`]),
    ...(aside === null ? [] : [aside]),
  ].join(', ');
}

function lookOfVerdict({ verdict, metrics, plan }: ShownRun): Look {
  if (verdict === null) return lookOfState('finished');
  const comparison = metrics.find(({ id }) => id === verdict.metric);
  const shift = comparison?.ratio != null ? comparison.ratio.center - 1 : (comparison?.delta?.center ?? 0);
  return lookOfOutcome(verdict.outcome, shift, metricOf(verdict.metric).better, plan.tolerance);
}

function whatIsThere(document: ShownRun): string {
  const ended = printCount(document.blocks.length, 'block');
  const kept = document.blocks.filter(({ reasons }) => reasons.length === 0).length;
  if (document.blocks.length === 0) return 'No block had finished, so there are no results.';
  return isMeasured(document)
    ? `The figures below are from the blocks that count (${kept} of ${document.blocks.length}). There is no verdict.`
    : `${ended} finished, and too few of them count for a comparison.`;
}
