import { Link } from 'react-router';
import { printLabChange } from '../../../shared/lab-change-words.ts';
import type { LabChange, LabChanges } from '../../../shared/result-changes.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { LongTable } from '../../components/long-table.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Section } from '../../components/section.tsx';
import { lookOfWord } from '../../format/change-look.ts';
import { printWhen } from '../../format/when.ts';
import classes from './changes.module.css';
import { SetupSection } from './setup-section.tsx';
import { Ways } from './ways.tsx';

/** What changed from one measurement of the lab to another, figure by figure. */
export function ChangedLab({ changes }: { changes: LabChanges }) {
  const { from, to, sentence, cautions, setup } = changes;
  return (
    <article>
      <PageHead tab="Comparison" title={sentence} testId="change" />
      <ol className={classes.cards} aria-label="Compared results">
        <ComparedLab lab={from} place="First" />
        <ComparedLab lab={to} place="Second" />
      </ol>
      <Ways from={from.id} to={to.id} />
      {cautions.map((caution) => (
        <Notice key={caution} tone="note">
          <p>{caution}</p>
        </Notice>
      ))}
      <SetupSection differences={setup} />
      <Figures changes={changes} />
    </article>
  );
}

function ComparedLab({ lab: { url, title, createdAt }, place }: { lab: LabChanges['from']; place: string }) {
  return (
    <li>
      <p className={classes.place}>
        {place}, <time dateTime={new Date(createdAt).toISOString()}>{printWhen(createdAt)}</time>
      </p>
      <Link to={url} dir="auto">
        {title}
      </Link>
    </li>
  );
}

const leads: Record<LabChanges['kind'], string> = {
  handshakes: 'CPU per connection as a multiple of the baseline cell’s in the same measurement.',
  primitives: 'Operations per second of CPU time.',
};

function Figures({ changes: { kind, rows } }: { changes: LabChanges }) {
  const words = (row: LabChange) => printLabChange(row, kind);
  return (
    <Section
      id="figures"
      title="Every figure"
      lead={`${leads[kind]} The interval of a change includes the uncertainty of both measurements.`}
    >
      <Card flush>
        <LongTable
          caption="Every figure in both results, with its change"
          first={30}
          what="row"
          narrow="scroll"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { label: 'Figure', cell: ({ id }) => id.replaceAll('/', ' / ') },
            { label: 'First', numeric: true, cell: (row) => words(row).from },
            { label: 'Second', numeric: true, cell: (row) => words(row).to },
            { label: 'Change', numeric: true, cell: (row) => words(row).change },
            { label: '95 % CI', numeric: true, cell: (row) => words(row).interval },
            { label: 'Outcome', cell: (row) => <Outcome row={row} kind={kind} /> },
          ]}
        />
      </Card>
    </Section>
  );
}

function Outcome({ row, kind }: { row: LabChange; kind: LabChanges['kind'] }) {
  const { word } = printLabChange(row, kind);
  const { tone, icon } = lookOfWord(word, row.ratio !== null && row.ratio.center > 1);
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
