import { Link } from 'react-router';
import { printNumber } from '../../../shared/base/quantity.ts';
import type {
  ExplainDocument,
  ExplainRequest,
  InstructionCounts,
} from '../../../shared/kinds/explain/explain.ts';
import { groupTitles, groupWords } from '../../../shared/kinds/explain/options.ts';
import type { MeasuringPhase } from '../../../shared/measurement/measurement.ts';
import { partOfSide } from '../../../shared/report/report.ts';
import { defaultViewState, printViewState } from '../../../shared/results/shown-measurement.ts';
import {
  countsInWords,
  explainHeadline,
  explainSentences,
  explainTitle,
  instructionNotes,
  instructionSentences,
  instructionsHeadline,
  printInstructions,
  printMoreInstructions,
  sideTitle,
} from '../../../shared/words/explain-sentence.ts';
import { softwareInWords } from '../../../shared/words/negotiated-words.ts';
import { Section } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { CostGroupTable, FlameFigure } from '../../components/flame-figure.tsx';
import { served } from '../../components/links.tsx';
import { loadFacts, MethodSection } from '../../components/method-section.tsx';
import { ResultHead } from '../../components/result-head.tsx';
import { printCount } from '../../format/printed-figures.ts';

export const explainView = {
  page: 'l' as const,
  subject: ({ request }: ExplainDocument) =>
    `${request.instructions ? 'instructions' : 'the CPU'} of ${explainTitle(request)}`,
  method: ({ request }: ExplainDocument) =>
    request.instructions
      ? 'Valgrind runs the server and counts its instructions while one user requests a document repeatedly.'
      : 'The server is started several times. The sides take turns in random order while perf samples the processes of the server.',
  phases: ({ request }: ExplainDocument) =>
    [
      {
        name: 'preparing',
        title: 'Preparing',
        text: 'Start the server, and compare the content of both sides.',
      },
      {
        name: 'measuring',
        title: 'Measuring',
        text: request.instructions
          ? 'Warm up each side, and count its instructions several times.'
          : 'After each start, warm up, measure, and record.',
      },
    ] satisfies { name: MeasuringPhase; title: string; text: string }[],
  figures: null,
  follow: () => null,
  Live: () => null,
  Finished: ExplainResultPage,
  csvRow: 'group of a side in one start, or count of a side',
  forms: ({ request }: ExplainDocument) =>
    request.instructions
      ? []
      : [
          { suffix: 'folded', name: 'Folded stacks', content: 'One row per stack, for flamegraph.pl' },
          { suffix: 'speedscope.json', name: 'Speedscope', content: 'A profile of each side' },
        ],
};

type Props = { document: ExplainDocument; takeFocus: boolean };

export function ExplainResultPage({ document, takeFocus }: Props) {
  const { groups, request, instructions, server } = document;
  return (
    <>
      <ResultHead
        document={document}
        headline={
          instructions === null ? explainHeadline(document) : instructionsHeadline({ request, instructions })
        }
        sentences={
          instructions === null ? explainSentences(document) : instructionSentences({ request, instructions })
        }
        counts={instructions === null ? samplesInWords(document) : countsInWords(instructions)}
        takeFocus={takeFocus}
      />
      {instructions === null ? null : <InstructionSections instructions={instructions} request={request} />}
      {groups.length === 0 ? null : (
        <>
          <Section id="groups" title="What it goes to" card="stack">
            <CostGroupTable document={document} />
          </Section>
          <Section id="functions" title="Functions" card="stack">
            <FlameFigure document={document} />
          </Section>
        </>
      )}
      <MethodSection
        plan={[
          {
            name: 'Server',
            value: softwareInWords(server),
          },
          { name: 'Run', value: request.run === undefined ? null : <Explained document={document} /> },
          { name: 'Valgrind', value: instructions?.valgrind ?? null },
          ...loadFacts(document),
        ]}
        machine={document.environment}
      />
    </>
  );
}

/** The run on whose page it stands. */
function Explained({ document: { id, request } }: Pick<Props, 'document'>) {
  const run = request.run?.id ?? '';
  const query = printViewState({ ...defaultViewState, explain: id });
  return served ? <Link to={`/r/${run}?${query}#where-it-goes`}>{run}</Link> : <code>{run}</code>;
}

function samplesInWords({ launches, request, samples }: ExplainDocument): string {
  const taken = printNumber(samples.baseline + samples.comparison, 0);
  return `${launches.length} of ${printCount(request.launches, 'start')}, ${taken} samples`;
}

type SectionsProps = { instructions: InstructionCounts; request: ExplainRequest };
type Spent = { baseline: number; comparison: number };

function InstructionSections({ instructions, request }: SectionsProps) {
  const { groups, functions, perRequest } = instructions;
  const columns = columnsOf(request);
  const all = { baseline: perRequest.baseline.center, comparison: perRequest.comparison.center };
  const rows = [
    ...groups.map((row) => ({ ...row, title: groupTitles[row.group], words: groupWords[row.group] })),
    {
      ...all,
      group: 'all',
      title: 'All',
      words: 'All instructions of the server’s processes in user space.',
    },
  ];
  return (
    <>
      <Section id="groups" title="What it goes to" card="stack">
        <DataTable
          caption="Instructions of a request"
          testId="instruction-groups"
          rows={rows}
          keyOf={({ title }) => title}
          of={({ group }) => `explain/instructions/${group}`}
          columns={[
            { label: 'Goes to', cell: ({ title, words }) => <span title={words}>{title}</span> },
            ...columns,
          ]}
        />
        <div>
          {instructionNotes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
      </Section>
      <Section id="functions" title="Functions" card>
        <DataTable
          caption="Functions that differ most, instructions of a request"
          testId="instruction-functions"
          rows={functions}
          keyOf={({ name, library }) => `${library} ${name}`}
          of={({ name, library }) => `explain/instructions/${name} of ${library}`}
          columns={[
            { label: 'Function', cell: ({ name }) => <code>{name}</code> },
            { label: 'Library', numeric: false, cell: ({ library }) => library },
            ...columns,
          ]}
        />
      </Section>
    </>
  );
}

function columnsOf(request: ExplainRequest) {
  const of = (side: keyof Spent) => ({
    label: sideTitle(side, request),
    part: partOfSide[side],
    cell: (row: Spent) => printInstructions(row[side]),
  });
  const difference = {
    label: 'Difference',
    part: 'difference',
    cell: ({ baseline, comparison }: Spent) => printMoreInstructions(comparison - baseline),
  };
  return [of('baseline'), of('comparison'), difference];
}
