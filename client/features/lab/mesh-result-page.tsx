import { lazy } from 'react';
import { printNumber } from '../../../shared/base/quantity.ts';
import {
  applicationName,
  armTitle,
  type MeshDocument,
  type MeshRole,
  meshHeadline,
  meshSentences,
  proxiesInWords,
  roleTitles,
} from '../../../shared/kinds/mesh/mesh.ts';
import { meshFinding, pathTable, rolesOf } from '../../../shared/report/mesh-report.ts';
import { softwareInWords } from '../../../shared/words/negotiated-words.ts';
import { Section } from '../../components/card.tsx';
import { Figure, PartLegend } from '../../components/data-table.tsx';
import { loadFacts, MethodSection } from '../../components/method-section.tsx';
import { ReportTable, Sections } from '../../components/report-sections.tsx';
import { ResultHead, SourceFiles } from '../../components/result-head.tsx';
import { printCount } from '../../format/printed-figures.ts';
import { lookOfLine } from './lines-figure.tsx';

type Props = { document: MeshDocument; takeFocus: boolean };

export function MeshResultPage({ document, takeFocus }: Props) {
  const { arms, request, launches, files, application, proxy } = document;
  const requests = arms.reduce((sum, each) => sum + each.requests, 0);
  return (
    <>
      <ResultHead
        document={document}
        headline={meshHeadline(document)}
        sentences={meshSentences(document)}
        counts={`${launches.length} of ${printCount(request.launches, 'start')}, ${printNumber(requests, 0)} requests at full load`}
        takeFocus={takeFocus}
      />
      <Sections
        of={meshFinding(document).sections}
        charts={{ cost: <MeshFigure arms={arms} request={request} /> }}
      />
      {files.length === 0 ? null : (
        <Section id="configuration" title="Configuration" card>
          <SourceFiles
            files={files.map(({ arm, role, name, text }) => ({
              name: `${armTitle(arm, request)}, ${roleTitles[role].toLowerCase()}: ${name}`,
              text,
            }))}
          />
        </Section>
      )}
      <MethodSection
        plan={[
          { name: 'Application', value: nameOf(application) },
          { name: 'Proxy', value: softwareInWords(proxy) },
          ...loadFacts(document),
        ]}
        machine={document.environment}
      />
    </>
  );
}

function nameOf({ title, version }: MeshDocument['proxy']): string {
  return version === null ? title : `${title} ${version}`;
}

const StackedBarChart = lazy(() => import('../../charts/stacked-bar-chart.tsx'));

type FigureProps = Pick<MeshDocument, 'arms' | 'request'>;

const fills = { application: 'solid', proxy: 'hatched', clientProxy: 'half' } as const satisfies Record<
  MeshRole,
  string
>;
const look = lookOfLine('', 0);

function MeshFigure({ arms, request }: FigureProps) {
  const roles = rolesOf(arms);
  const cpuOf = (arm: FigureProps['arms'][number], role: MeshRole) =>
    arm.parts.find((part) => part.role === role)?.cpuUs ?? null;
  const parts = roles.map((role) => ({ label: roleTitles[role], fill: fills[role] }));
  const caption = 'CPU per request on each path, by process.';
  return (
    <Figure
      height={90 + arms.length * 48}
      caption={caption}
      marks="µs at full load, mean of the starts."
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
        value={{
          title: 'CPU per request, µs',
          unit: 'µs',
          print: (us) => printNumber(us, us > 0 && us < 10 ? 1 : 0),
        }}
      />
    </Figure>
  );
}

export const meshView = {
  page: 'l' as const,
  subject: ({ request }: MeshDocument) =>
    `${proxiesInWords(request)} in front of ${applicationName(request)}`,
  method: () =>
    'The application and the proxies are started several times. Each time, the paths take turns under full load in random order, and then one user sends requests to each path.',
  phases: () => [
    {
      name: 'preparing',
      title: 'Preparing',
      text: 'Start the application and the proxies, and compare their content.',
    },
    { name: 'measuring', title: 'Measuring', text: 'After each start, warm up and measure.' },
  ],
  figures: null,
  follow: () => null,
  Live: () => null,
  Finished: MeshResultPage,
  csvRow: 'path in one start',
};
