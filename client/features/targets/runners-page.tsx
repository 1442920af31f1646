import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { GeneratorHost, Runner, RunnerList } from '../../../shared/measurement/runner.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import { clockInWords } from '../../../shared/words/negotiated-words.ts';
import { runnersQuery } from '../../api/queries.ts';
import { PageHead } from '../../components/action-button.tsx';
import { Answer } from '../../components/answer.tsx';
import { Badge, Card, Notice, Section } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import type { Tone } from '../../format/looks.ts';
import { printAgo, printBytes, printCount } from '../../format/printed-figures.ts';

/** Who measures for the dashboards on this database, and what. */
export default function RunnersPage() {
  return (
    <>
      <PageHead tab="Runners" title="Runners">
        <p>
          Runners take runs from the queue of every dashboard on the same PostgreSQL.{' '}
          <Link to="/docs/runners">How to start one</Link>
        </p>
      </PageHead>
      <Answer of={useQuery(runnersQuery)} waiting="Loading the runners">
        {(data) => <Runners {...data} />}
      </Answer>
    </>
  );
}

function Runners({ runners, generators, stranded }: RunnerList) {
  return (
    <>
      <Card flush={runners !== null && runners.length > 0}>
        {runners !== null && runners.length > 0 ? (
          <RunnerTable runners={runners} />
        ) : (
          <p>{whyNone(runners)}</p>
        )}
      </Card>
      {generators === null ? null : (
        <Section
          id="generators"
          title="Generators"
          lead={
            <>
              Hosts that offer their load generator. <Link to="/docs/generators">How to start one</Link>
            </>
          }
          card={generators.length > 0 ? 'flush' : true}
        >
          {generators.length > 0 ? (
            <GeneratorTable generators={generators} />
          ) : (
            <p>No generator has joined.</p>
          )}
        </Section>
      )}
      {stranded.length === 0 ? null : (
        <Notice tone="warn" title="Waiting for a runner">
          {stranded.map(({ id, url, title, labels }) => (
            <p key={id}>
              <Link to={url}>{title}</Link>: {whyWaiting(printLabels(labels))}
            </p>
          ))}
        </Notice>
      )}
    </>
  );
}

function whyWaiting(labels: string): string {
  return labels === '' ? 'no runner is connected.' : `no runner with ${labels} is connected.`;
}

function whyNone(runners: readonly unknown[] | null): string {
  return runners === null
    ? 'This server stores its results in SQLite. Runners need PostgreSQL.'
    : 'No runner is connected. Runs wait until one is.';
}

const columns: Column<GeneratorHost>[] = [
  { label: 'Generator', cell: ({ name }) => name },
  {
    label: 'State',
    cell: ({ state }) =>
      state === 'busy' ? <Badge tone="good">Generating</Badge> : <Badge tone="quiet">Idle</Badge>,
  },
  { label: 'Address', cell: ({ address }) => address },
  { label: 'Offers', cell: ({ cores }) => printCount(cores, 'core') },
  { label: 'May load', cell: ({ allow }) => allow.join(', ') || 'nothing' },
  { label: 'Clock', cell: ({ clock }) => clockInWords(clock) },
];

/** Hosts that have joined with their load generator. */
export function GeneratorTable({ generators }: { generators: readonly GeneratorHost[] }) {
  return <DataTable text caption="Generators" columns={columns} rows={generators} keyOf={keyOf} />;
}

/** A pod of a run and a host may have the same name. */
function keyOf({ name, address }: GeneratorHost): string {
  return `${name} ${address}`;
}

const tableColumns: Column<Runner>[] = [
  { label: 'Runner', cell: ({ name }) => name },
  { label: 'State', cell: (runner) => <State runner={runner} /> },
  { label: 'Labels', cell: ({ labels }) => printLabels(labels) || 'none' },
  {
    label: 'Measuring',
    cell: ({ busy }) => (busy === null ? 'nothing' : <Link to={busy.url}>{busy.title}</Link>),
  },
  { label: 'Machine', cell: printMachine },
  { label: 'Version', cell: ({ version }) => version },
];

export function RunnerTable({ runners }: { runners: readonly Runner[] }) {
  return (
    <DataTable text caption="Runners" columns={tableColumns} rows={runners} keyOf={({ name }) => name} />
  );
}

const words: Record<Runner['state'], { tone: Tone; word: string }> = {
  idle: { tone: 'quiet', word: 'Idle' },
  busy: { tone: 'good', word: 'Measuring' },
  lost: { tone: 'bad', word: 'Not answering' },
  left: { tone: 'quiet', word: 'Stopped' },
};

function State({ runner: { state, seenAt } }: { runner: Runner }) {
  const { tone, word } = words[state];
  const answers = state === 'idle' || state === 'busy';
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {answers ? null : ` ${printAgo(seenAt, Date.now())}`}
    </>
  );
}

function printMachine({ machine: { cpuModel, cores, memoryBytes } }: Runner): string {
  return `${cpuModel}, ${printCount(cores, 'core')}, ${printBytes(memoryBytes)}`;
}
