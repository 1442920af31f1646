import type { ReactNode } from 'react';
import { capitalized } from '../../shared/base/cut.ts';
import {
  filledSections,
  noFigure,
  type Part,
  type Section as ReportSection,
  type TablePart,
} from '../../shared/report/report.ts';
import type { ClaimToday } from '../../shared/studies/read-sizes.ts';
import type { ClaimWord } from '../../shared/studies/study-figure.ts';
import type { IconName, Tone } from '../format/looks.ts';
import { Badge, Facts, Section } from './card.tsx';
import { LongTable } from './data-table.tsx';
import { AppLink } from './links.tsx';

type SectionsProps = {
  of: readonly ReportSection[];
  /** Drawings by the ID of their section. Each follows the text and precedes the figures. */
  charts?: Readonly<Record<string, ReactNode>>;
};

/** A report on a page, as `printMarkdown` and `printTerminal` print it elsewhere. */
export function Sections({ of, charts = {} }: SectionsProps) {
  return filledSections(of).map(({ id, heading, lead, parts }) => {
    if (id === undefined || heading === null) return null;
    const chart = charts[id];
    const words = parts.findIndex(({ type }) => type !== 'text');
    const before = words === -1 ? parts.length : words;
    const isTable = chart === undefined && before === 0 && parts.length === 1 && parts[0]?.type === 'table';
    return (
      <Section key={id} id={id} title={heading} lead={lead} card={isTable ? 'flush' : 'stack'}>
        <Parts of={parts.slice(0, before)} name={heading} />
        {chart}
        <Parts of={parts.slice(before)} name={heading} />
      </Section>
    );
  });
}

/** @param name accessible name of a table without a caption */
function Parts({ of, name }: { of: readonly Part[]; name: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a report have no names, and none moves
  return of.map((part, index) => <PrintedPart key={index} part={part} name={name} />);
}

function PrintedPart({ part, name }: { part: Part; name: string }) {
  switch (part.type) {
    case 'text':
      return <p>{part.sentences.join(' ')}</p>;
    case 'list':
      return (
        <ul>
          {part.lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      );
    case 'facts':
      return <Facts facts={part.facts.map(([name, value]) => ({ name, value }))} />;
    case 'table':
      return <ReportTable of={part} name={name} />;
    case 'command':
      return <code>{part.command}</code>;
  }
}

type TableProps = {
  of: TablePart;
  /** Accessible name of a table without a caption. */
  name?: string;
  /** Rows that are shown at first; the others follow on request. */
  first?: number;
};

export function ReportTable({ of: part, name = '', first = 20 }: TableProps) {
  const { caption, columns, rows } = part;
  return (
    <LongTable
      caption={caption ?? name}
      first={first}
      what="row"
      {...(isWordy(columns) ? { narrow: 'cards' } : {})}
      rows={[...rows.entries()]}
      keyOf={([index]) => index}
      of={([index]) => part.of?.[index]}
      columns={columns.map(({ title, holds, part: figure }, place) => ({
        label: title,
        ...(figure === undefined ? {} : { part: figure }),
        numeric: holds === 'figure',
        cell: ([, cells]) => cells[place] ?? noFigure,
      }))}
    />
  );
}

/** Sentences need the width of a narrow screen, which rows of figures do without. */
function isWordy([, ...columns]: TablePart['columns']): boolean {
  return columns.some(({ holds }) => holds === 'text');
}

export function ClaimList({ study, claims }: { study: string; claims: readonly ClaimToday[] }) {
  if (claims.length === 0) return null;
  return (
    <Section id="claims" title={`${study}, today`} lead={<AppLink to="/studies">All studies</AppLink>} card>
      <Facts
        facts={claims.map(({ said, word, today }) => ({
          name: said,
          value: (
            <>
              <ClaimBadge word={word} /> {today}
            </>
          ),
        }))}
      />
    </Section>
  );
}

const looks: Record<ClaimWord, { tone: Tone; icon?: IconName }> = {
  holds: { tone: 'good', icon: 'check' },
  'no longer': { tone: 'warn', icon: 'cross' },
  'not decided': { tone: 'quiet', icon: 'question' },
  new: { tone: 'quiet' },
  'not comparable': { tone: 'quiet' },
  'not measured': { tone: 'quiet' },
};

export function ClaimBadge({ word }: { word: ClaimWord }) {
  return <Badge {...looks[word]}>{capitalized(word)}</Badge>;
}
