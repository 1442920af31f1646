import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { measurementEndpoints } from '../../../../shared/api/measurement-endpoints.ts';
import { capitalized } from '../../../../shared/base/capitalized.ts';
import { bySide } from '../../../../shared/base/transport.ts';
import { metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import { qualityOf } from '../../../../shared/kinds/comparison/quality.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { askedSidesOf } from '../../../../shared/kinds/comparison/side.ts';
import { hostCountInWords } from '../../../../shared/words/host-words.ts';
import { negotiatedWords } from '../../../../shared/words/negotiated-words.ts';
import { leftOutInWords, pooledInWords } from '../../../../shared/words/pool-words.ts';
import { programsInWords } from '../../../../shared/words/program-words.ts';
import { differencesInWords, differencesOfSides } from '../../../../shared/words/side-words.ts';
import { targetsInSentence, titleOfDocument } from '../../../../shared/words/targets-of-sides.ts';
import { foundOf } from '../../../../shared/words/verdict-evidence.ts';
import { mayCall } from '../../../api/identity.ts';
import { runsTitledQuery } from '../../../api/queries.ts';
import { LookBadge } from '../../../components/badge.tsx';
import { Notice } from '../../../components/notice.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { served } from '../../../components/served.ts';
import { SettingLine } from '../../../components/setting-line.tsx';
import { SideMark } from '../../../components/side-mark.tsx';
import { Term } from '../../../components/term.tsx';
import { printCount } from '../../../format/count.ts';
import { type Look, lookOfOutcome, lookOfState } from '../../../format/outcome.ts';
import { sidesOf } from '../../../format/side.ts';
import classes from '../run.module.css';
import { Explained } from './explained.tsx';
import { meaningOfOutcome } from './terms.ts';
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
        <LookBadge look={look}>
          {finished ? (
            <Term meaning={meaningOfOutcome(document.plan, verdict.outcome)}>{look.word}</Term>
          ) : undefined}
        </LookBadge>
      }
    >
      <Differences document={document} />
      {finished ? <Found document={document} /> : null}
      {finished ? <Doubt document={document} /> : null}
      {finished ? <Continued document={document} /> : null}
      {finished || problem === null ? null : (
        <Notice tone={state === 'failed' ? 'bad' : 'warn'} title={problem.detail}>
          <p>{problem.advice}</p>
          <p data-testid="blocks-count">{whatIsThere(document)}</p>
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

/** What the runs of this question say together, and what this one says. */
function Found({ document }: { document: ShownRun }) {
  const pooled = pooledInWords(document);
  const leftOut = leftOutInWords(document);
  const found = foundOf(document);
  const programs = programsInWords(document);
  if (pooled === null && leftOut === null && found === null) return null;
  return (
    <p className={classes.found} data-testid="evidence">
      {pooled === null ? null : (
        <span className={classes.pooled} data-testid="pooled">
          <Explained plan={document.plan}>{pooled}</Explained>.{' '}
        </span>
      )}
      {found === null ? null : (
        <Explained plan={document.plan}>{pooled === null ? found : `This run: ${found}`}</Explained>
      )}
      {programs === null ? null : <span data-testid="programs">{`. ${capitalized(programs)}`}</span>}
      {leftOut === null ? null : <span data-testid="left-out">{`. ${leftOut}.`}</span>}
    </p>
  );
}

/** Why there is no answer; nothing where there is one. */
function Doubt({ document: { verdict, metrics } }: { document: ShownRun }) {
  if (verdict?.outcome !== 'inconclusive') return null;
  const reasons = metrics.find(({ id }) => id === verdict.metric)?.reasons ?? [];
  return reasons.length === 0 ? null : <p data-testid="doubt">{reasons.join(' ')}</p>;
}

/** The run that this one continues, and the one that continues it. */
function Continued({ document }: { document: ShownRun }) {
  const { continued, verdict, example } = document;
  const isUnclear = verdict?.outcome === 'inconclusive' && served && example !== true;
  const mayList = isUnclear && mayCall(measurementEndpoints.listMeasurements);
  return (
    <>
      {continued === undefined ? null : (
        <p data-testid="continued">
          It continues <Link to={`/r/${continued.id}`}>an earlier run</Link>.
        </p>
      )}
      {mayList ? <ContinuedBy document={document} /> : null}
    </>
  );
}

/** Asks the server, which a result in a file does not have. */
function ContinuedBy({ document }: { document: ShownRun }) {
  const { data: runs = [] } = useQuery(runsTitledQuery(titleOfDocument(document)));
  const newer = runs.find((run) => run.kind === 'comparison' && run.continues === document.id);
  if (newer === undefined) return null;
  return (
    <p data-testid="continued-by">
      <Link to={`/r/${newer.id}`}>A later run continues this one</Link>
    </p>
  );
}

function Setting({ document }: { document: ShownRun }) {
  const { scenario, tls, hosts, createdAt } = document;
  const negotiated = negotiatedWords(bySide((side) => tls[side].negotiated));
  return (
    <SettingLine
      items={[
        `${scenario.name} on ${targetsInSentence(document)}`,
        ...(negotiated === null ? [] : [negotiated]),
        ...(hosts === undefined ? [] : [hostCountInWords(hosts)]),
      ]}
      createdAt={createdAt}
      quality={isMeasured(document) ? qualityOf(document) : null}
      clean="Little else ran on this machine."
    />
  );
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
    ? `${ended} finished, and ${kept} ${kept === 1 ? 'counts' : 'count'}. The figures below are from these. There is no verdict.`
    : `${ended} finished, and too few of them count for a comparison.`;
}
