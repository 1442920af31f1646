import { lazy } from 'react';
import { printNumber, printUsEstimate } from '../../../../shared/base/quantity.ts';
import { type MeshDocument, type MeshRole, meshRoles } from '../../../../shared/kinds/mesh/mesh.ts';
import { armTitle, roleTitles } from '../../../../shared/kinds/mesh/mesh-sentence.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Figure } from '../../../components/figure.tsx';
import { PartLegend } from '../../../components/part-legend.tsx';
import { lookOfLine } from '../line-look.ts';

const StackedBarChart = lazy(() => import('../../../charts/stacked-bar-chart.tsx'));

type Props = Pick<MeshDocument, 'arms' | 'request'>;

const fills = { application: 'solid', proxy: 'hatched', clientProxy: 'half' } as const satisfies Record<
  MeshRole,
  string
>;
const look = lookOfLine('', 0);

export function MeshFigure({ arms, request }: Props) {
  const roles = meshRoles.filter((role) =>
    arms.some(({ parts }) => parts.some((part) => part.role === role)),
  );
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
      table={
        <DataTable
          caption="CPU and latency of a request, µs with 95 % CI"
          testId="mesh-paths"
          narrow="scroll"
          rows={arms}
          keyOf={({ arm }) => arm}
          columns={[
            { label: 'Path', cell: ({ arm }) => armTitle(arm, request) },
            ...roles.map((role) => ({
              label: roleTitles[role],
              cell: (arm: Props['arms'][number]) => printOr(cpuOf(arm, role)),
            })),
            { label: 'All CPU', cell: ({ cpuUs }) => printOr(cpuUs) },
            { label: 'Latency', cell: ({ latencyUs }) => printOr(latencyUs) },
          ]}
        />
      }
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

function printOr(estimate: Parameters<typeof printUsEstimate>[0] | null): string {
  return estimate === null ? '–' : printUsEstimate(estimate);
}
