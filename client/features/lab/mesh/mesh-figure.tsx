import { lazy } from 'react';
import { printNumber } from '../../../../shared/base/quantity.ts';
import type { MeshDocument, MeshRole } from '../../../../shared/kinds/mesh/mesh.ts';
import { armTitle, roleTitles } from '../../../../shared/kinds/mesh/mesh-sentence.ts';
import { pathTable, rolesOf } from '../../../../shared/report/mesh-report.ts';
import { Figure } from '../../../components/figure.tsx';
import { PartLegend } from '../../../components/part-legend.tsx';
import { ReportTable } from '../../../components/sections.tsx';
import { lookOfLine } from '../line-look.ts';

const StackedBarChart = lazy(() => import('../../../charts/stacked-bar-chart.tsx'));

type Props = Pick<MeshDocument, 'arms' | 'request'>;

const fills = { application: 'solid', proxy: 'hatched', clientProxy: 'half' } as const satisfies Record<
  MeshRole,
  string
>;
const look = lookOfLine('', 0);

export function MeshFigure({ arms, request }: Props) {
  const roles = rolesOf(arms);
  const cpuOf = (arm: Props['arms'][number], role: MeshRole) =>
    arm.parts.find((part) => part.role === role)?.cpuUs ?? null;
  const parts = roles.map((role) => ({ label: roleTitles[role], fill: fills[role] }));
  const caption = 'CPU of a request on each path, by process.';
  return (
    <Figure
      height={90 + arms.length * 48}
      caption={caption}
      marks="µs at load, mean of the launches."
      legend={<PartLegend parts={parts} colors={[look.color]} />}
      table={<ReportTable of={pathTable({ arms, request })} />}
    >
      <StackedBarChart
        label={caption}
        categories={arms.map(({ arm }) => armTitle(arm, request))}
        parts={parts}
        series={[
          {
            ...look,
            label: 'CPU',
            bars: arms.map((arm) => roles.map((role) => cpuOf(arm, role)?.center ?? 0)),
            ends: arms.map(({ cpuUs }) => (cpuUs === null ? '' : `${printNumber(cpuUs.center, 0)} µs`)),
          },
        ]}
        value={{ title: 'CPU of a request, µs', print: (us) => printNumber(us, us > 0 && us < 10 ? 1 : 0) }}
      />
    </Figure>
  );
}
