import { lazy } from 'react';
import type { FactorName } from '../../../shared/kinds/servers/servers.ts';
import type { ServersDocument } from '../../../shared/kinds/servers/servers-result.ts';
import { ChoicePills } from '../../components/choice-pills.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Figure } from '../../components/figure.tsx';
import { Legend } from '../../components/legend.tsx';
import { Section } from '../../components/section.tsx';
import { useAddress } from '../../components/use-address.ts';
import { printCount } from '../../format/count.ts';
import { factorTitles, printLevel } from '../../format/factor-words.ts';
import { type LevelMeasure, levelMeasures, type Measure, measureNames } from './level-measures.ts';

const BarChart = lazy(() => import('../../charts/bar-chart.tsx'));

const nothing = 'none';

/** Geometric means by the levels of one factor, or of two, with their intervals over the rounds. */
export function LevelBars({ document: { levels } }: { document: Pick<ServersDocument, 'levels'> }) {
  const factors = levels.flatMap(({ factors: [one, ...more] }) =>
    one === undefined || more.length > 0 ? [] : [one],
  );
  const [name, setName] = useAddress<LevelMeasure>('measure', measureNames, 'cpu');
  const [one, setOne] = useAddress<FactorName | typeof nothing>('by', factors, factors[0] ?? nothing);
  const [other, setOther] = useAddress<FactorName | typeof nothing>('and', factors, nothing);
  const partners = factors.filter((factor) => factor !== one && viewOf(levels, [one, factor]) !== undefined);
  const view = (other === one ? undefined : viewOf(levels, [one, other])) ?? viewOf(levels, [one]);
  if (view === undefined) return null;
  return (
    <Section id="levels" title="Results by level" card>
      <div className="stack wide">
        <ChoicePills
          legend="Show"
          legendShown
          name="measure"
          value={name}
          choices={measureNames.map((value) => ({ value, label: levelMeasures[value].label }))}
          onChange={setName}
        />
        {factors.length < 2 ? null : (
          <>
            <ChoicePills
              legend="Factor"
              legendShown
              name="factor"
              value={one}
              choices={choicesOf(factors)}
              onChange={setOne}
            />
            <ChoicePills
              legend="and"
              legendShown
              name="second-factor"
              value={view.factors.length < 2 ? nothing : other}
              choices={[{ value: nothing, label: 'nothing else' }, ...choicesOf(partners)]}
              onChange={setOther}
            />
          </>
        )}
        <LevelFigure view={view} measure={levelMeasures[name]} />
      </div>
    </Section>
  );
}

type LevelView = ServersDocument['levels'][number];

/** The levels by just these factors, in any order. */
function viewOf(levels: readonly LevelView[], by: readonly string[]): LevelView | undefined {
  return levels.find(
    ({ factors }) => factors.length === by.length && factors.every((factor) => by.includes(factor)),
  );
}

function choicesOf(factors: readonly FactorName[]) {
  return factors.map((factor) => ({ value: factor, label: factorTitles[factor] }));
}

function LevelFigure({ view, measure }: { view: LevelView; measure: Measure }) {
  const rows = view.groups.map((group, index) => ({
    index,
    group,
    label: view.factors.map((factor, place) => printLevel(factor, group.levels[place] as never)).join(', '),
  }));
  const series = measure.series(view.groups);
  const caption = `${measure.title} by ${view.factors.map((factor) => factorTitles[factor].toLowerCase()).join(' and ')}: geometric means${view.matched ? ' over cells that differ in nothing else' : ' over cells that also differ in other factors'}. Whiskers are 95 % CI over the rounds.`;
  return (
    <Figure
      height={70 + rows.length * (series.length > 1 ? 40 : 30)}
      caption={caption}
      legend={<Legend items={series} />}
      table={
        <DataTable
          caption={measure.title}
          narrow="cards"
          rows={rows}
          keyOf={({ label }) => label}
          columns={[
            { label: 'Level', cell: ({ label }) => label },
            { label: 'Cells', numeric: true, cell: ({ group }) => printCount(group.cells, 'cell') },
            ...series.map(({ label, bars }) => ({
              label,
              numeric: true,
              cell: ({ index }: (typeof rows)[number]) => measure.printBar(bars[index] ?? null),
            })),
          ]}
        />
      }
    >
      <BarChart
        label={caption}
        categories={rows.map(({ label }) => label)}
        series={series}
        value={{ title: measure.unit, print: measure.print }}
      />
    </Figure>
  );
}
