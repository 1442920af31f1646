import { changesPath, type RunChanges } from '../../../shared/result-changes.ts';
import { Badge } from '../../components/badge.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { lookOfChange } from '../../format/change-look.ts';
import { ChangeTable } from './change-table.tsx';
import classes from './changes.module.css';
import { ComparedCards } from './compared-cards.tsx';
import { FiguresSection } from './figures-section.tsx';
import { SetupSection } from './setup-section.tsx';

/** What changed from one run to another: the answer, the two results, differences in their set-up, then the evidence. */
export function ChangedRun({ changes }: { changes: RunChanges }) {
  const { sentence, evidence, metric, metrics, cautions } = changes;
  const row = metrics.find(({ id }) => id === metric);
  const look = row === undefined ? null : lookOfChange(row);
  return (
    <article>
      <PageHead
        tab={look === null ? 'Comparison' : `${look.word}, comparison`}
        title={sentence}
        testId="change"
        above={
          look === null ? null : (
            <Badge tone={look.tone} icon={look.icon}>
              {look.word}
            </Badge>
          )
        }
      >
        {evidence === null ? null : <p>{evidence}</p>}
      </PageHead>
      <ComparedCards changes={changes} />
      <Ways changes={changes} />
      {cautions.map((caution) => (
        <Notice key={caution} tone="warn">
          <p>{caution}</p>
        </Notice>
      ))}
      <SetupSection differences={changes.setup} />
      <ChangeTable metrics={metrics} />
      <FiguresSection changes={changes} />
    </article>
  );
}

function Ways({ changes: { from, to } }: { changes: RunChanges }) {
  const pair = { from: from.id, to: to.id };
  const path = changesPath(pair);
  const file = `tls-toll-${from.id}-${to.id}`;
  return (
    <div className={classes.ways}>
      <LinkButton to={changesPath({ from: to.id, to: from.id })}>Swap</LinkButton>
      <CopyButton text={`${location.origin}${path}`}>Copy link</CopyButton>
      <a href={`${path}.json`} download={`${file}.json`}>
        JSON
      </a>
      <a href={`${path}.md`} download={`${file}.md`}>
        Markdown, the report
      </a>
    </div>
  );
}
