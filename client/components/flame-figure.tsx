import { NativeSelect } from '@mantine/core';
import { lazy, type ReactNode, useMemo, useState } from 'react';
import { printNumber } from '../../shared/base/quantity.ts';
import { type BySide, type SideName, sideNames } from '../../shared/base/transport.ts';
import type { Estimate } from '../../shared/base/units.ts';
import type { ExplainDocument } from '../../shared/kinds/explain/explain.ts';
import { groupWords } from '../../shared/kinds/explain/options.ts';
import { partOfSide } from '../../shared/report/report.ts';
import {
  explainNotes,
  explainUnit,
  groupTitle,
  printUsRow,
  sideTitle,
} from '../../shared/words/explain-sentence.ts';
import type { FlameFrame } from '../charts/flame-chart.tsx';
import { DataTable, Figure } from './data-table.tsx';
import { StepStrip } from './strips.tsx';

const FlameChart = lazy(() => import('../charts/flame-chart.tsx'));

type Props = { document: ExplainDocument };

const listed = 40;

export function FlameFigure({ document }: Props) {
  const { request } = document;
  const [side, setSide] = useState<SideName>('comparison');
  const root = useMemo(() => flameTree(document, side), [document, side]);
  const rows = useMemo(() => ownCosts(document).slice(0, listed), [document]);
  const caption = `Functions over ${sideTitle(side, request)}, each below its caller.`;
  const column = (of: SideName) => ({
    label: sideTitle(of, request),
    part: partOfSide[of],
    cell: ({ us }: (typeof rows)[number]) => printNumber(us[of], 2),
  });
  return (
    <>
      <NativeSelect
        label="Side"
        value={side}
        onChange={(event) => setSide(event.currentTarget.value as SideName)}
        data={sideNames.map((name) => ({ value: name, label: sideTitle(name, request) }))}
      />
      <Figure
        height={null}
        caption={caption}
        marks={`A frame is as wide as its CPU of a request. Orange frames take more over ${sideTitle('comparison', request)}, blue frames less. Arrow keys move, Enter zooms. Kernel functions end with _[k].`}
        table={
          <DataTable
            caption="What functions take themselves, µs a request"
            testId="explain-functions"
            narrow="scroll"
            rows={rows}
            keyOf={({ name }) => name}
            of={({ name }) => `explain/functions/${name}`}
            columns={[
              { label: 'Function', cell: ({ name }) => <code>{name}</code> },
              column('baseline'),
              column('comparison'),
            ]}
          />
        }
      >
        <FlameChart label={caption} root={root} describe={describeFrame} />
      </Figure>
    </>
  );
}

function describeFrame({ name, value, delta }: FlameFrame): string {
  const more = `${delta < 0 ? '−' : '+'}${printNumber(Math.abs(delta), 2)}`;
  return `${name}: ${printNumber(value, 2)} µs, difference ${more} µs`;
}

type Stacks = Pick<ExplainDocument, 'stacks' | 'samples' | 'cpuUs'>;

type Node = { us: BySide<number>; calls: Map<string, Node> };

/** Stacks of both sides as one tree, in µs a request: as wide as one side, and colored by what the comparison has more. */
export function flameTree(document: Stacks, side: SideName): FlameFrame {
  const root = treeOf(document);
  return trimmed(frameOf('all', root, side));
}

/** Functions by what they take themselves, without what they call; the most expensive first. */
export function ownCosts(document: Stacks): { name: string; us: BySide<number> }[] {
  const costs = new Map<string, BySide<number>>();
  const visit = (name: string, { us, calls }: Node) => {
    const own = { ...us };
    for (const [called, node] of calls) {
      visit(called, node);
      for (const side of sideNames) own[side] -= node.us[side];
    }
    const known = costs.get(name) ?? none();
    for (const side of sideNames) known[side] += own[side];
    costs.set(name, known);
  };
  visit('all', treeOf(document));
  return [...costs]
    .map(([name, us]) => ({ name, us }))
    .filter(({ name }) => name !== 'all')
    .sort((one, other) => Math.max(...Object.values(other.us)) - Math.max(...Object.values(one.us)));
}

function treeOf({ stacks, samples, cpuUs }: Stacks): Node {
  const root: Node = { us: none(), calls: new Map() };
  for (const side of sideNames) {
    const usOf = (cpuUs?.[side].center ?? 0) / Math.max(1, samples[side]);
    for (const each of stacks[side]) {
      let node = root;
      node.us[side] += each.samples * usOf;
      for (const frame of each.stack.split(';')) {
        const next = node.calls.get(frame) ?? { us: none(), calls: new Map() };
        node.calls.set(frame, next);
        next.us[side] += each.samples * usOf;
        node = next;
      }
    }
  }
  return root;
}

function none(): BySide<number> {
  return { baseline: 0, comparison: 0 };
}

function frameOf(name: string, { us, calls }: Node, side: SideName): FlameFrame {
  return {
    name,
    value: us[side],
    delta: us.comparison - us.baseline,
    children: [...calls]
      .filter(([, node]) => node.us[side] > 0)
      .map(([called, node]) => frameOf(called, node, side)),
  };
}

/** Drops the frames that everything passes through, such as the start of the program. */
function trimmed(frame: FlameFrame): FlameFrame {
  const main = frame.children.find(({ value }) => value > 0.97 * frame.value);
  return main === undefined ? frame : trimmed(main);
}

/** Another source of the same figures; null for what it does not know. */
export type CostRow = {
  /** Key of its figures. */
  quantity: string;
  title: string;
  words: string;
  /** Page of the figures' source, if it has one. */
  link?: ReactNode;
  baseline: Estimate | null;
  comparison: Estimate | null;
  delta: Estimate;
};

/** Each begins where the one before ended, the first at zero. */
function stepsOf(deltas: readonly number[]): { lo: number; hi: number }[] {
  let sum = 0;
  return deltas.map((delta) => {
    const from = sum;
    sum += delta;
    return { lo: Math.min(from, sum), hi: Math.max(from, sum) };
  });
}

type TableProps = {
  document: ExplainDocument;
  /** Stand below the sum. */
  others?: readonly CostRow[];
};

/** CPU per request on each side by group, with advice for reading it. */
export function CostGroupTable({ document, others = [] }: TableProps) {
  const { groups, cpuUs, delta, request } = document;
  const rows: CostRow[] = groups
    .toSorted((a, b) => b.delta.center - a.delta.center)
    .map(({ group, ...row }) => ({
      ...row,
      quantity: `explain/${group}`,
      title: groupTitle(group, document),
      words: groupWords[group],
    }));
  const steps = stepsOf(rows.map((row) => row.delta.center));
  if (cpuUs !== null && delta !== null) {
    const words = `CPU of a ${explainUnit(request)} by the process CPU clock.`;
    rows.push({ quantity: 'explain/all', title: 'All', words, ...cpuUs, delta });
    steps.push({ lo: Math.min(0, delta.center), hi: Math.max(0, delta.center) });
  }
  const axis = {
    from: Math.min(0, ...steps.map(({ lo }) => lo)),
    to: Math.max(0, ...steps.map(({ hi }) => hi)),
  };
  return (
    <>
      <DataTable
        caption={`CPU of a ${explainUnit(request)}, µs with 95 % CI`}
        testId="explain-groups"
        rows={[...rows, ...others]}
        keyOf={({ title }) => title}
        of={({ quantity }) => quantity}
        columns={[
          { label: 'Goes to', cell: ({ title, words, link }) => link ?? <span title={words}>{title}</span> },
          { label: sideTitle('baseline', request), part: 'first', cell: (row) => printUsRow(row).baseline },
          {
            label: sideTitle('comparison', request),
            part: 'second',
            cell: (row) => printUsRow(row).comparison,
          },
          { label: 'Difference', part: 'difference', cell: (row) => printUsRow(row).delta },
          {
            label: 'How it adds up',
            numeric: false,
            cell: (row) => {
              const step = steps[rows.indexOf(row)];
              return step === undefined ? null : (
                <StepStrip {...step} axis={axis} label={`${row.title}: ${printUsRow(row).delta} µs`} />
              );
            },
          },
        ]}
      />
      <div>
        {explainNotes(document).map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
    </>
  );
}
