import { NativeSelect } from '@mantine/core';
import { lazy, useMemo, useState } from 'react';
import { printNumber } from '../../shared/base/quantity.ts';
import { type SideName, sideNames } from '../../shared/base/transport.ts';
import type { ExplainDocument } from '../../shared/kinds/explain/explain.ts';
import { sideTitle } from '../../shared/kinds/explain/explain-sentence.ts';
import type { FlameFrame } from '../charts/flame-chart.tsx';
import { DataTable } from './data-table.tsx';
import { Figure } from './figure.tsx';
import { flameTree, ownCosts } from './flame-tree.ts';

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
