import { Link } from 'react-router';
import type { Runner } from '../../../shared/measurement/runner.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { printBytes } from '../../format/bytes.ts';
import { printCount } from '../../format/count.ts';
import type { Tone } from '../../format/outcome.ts';
import { printAgo } from '../../format/when.ts';

const columns: Column<Runner>[] = [
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
  return <DataTable text caption="Runners" columns={columns} rows={runners} keyOf={({ name }) => name} />;
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
