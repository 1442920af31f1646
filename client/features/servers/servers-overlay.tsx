import { mapEstimate } from '../../../shared/base/map-estimate.ts';
import { printChange } from '../../../shared/base/quantity.ts';
import type { ServersCell } from '../../../shared/kinds/servers/servers.ts';
import type { ServersDocument } from '../../../shared/kinds/servers/servers-result.ts';
import { ChoicePills } from '../../components/choice-pills.tsx';
import { Figure } from '../../components/figure.tsx';
import { IntervalRows } from '../../components/interval-rows.tsx';
import { LongTable } from '../../components/long-table.tsx';
import { OverlaySection } from '../../components/overlay-section.tsx';
import { useAddress } from '../../components/use-address.ts';
import { printCount } from '../../format/count.ts';
import { percentOf, printRatio } from '../../format/interval.ts';
import { printWhen } from '../../format/when.ts';
import { type LevelMeasure, levelMeasures, measureNames } from './level-measures.ts';
import { byChange, hasChanged, type Overlaid, overlayCells } from './overlay-cells.ts';
import { namesOf } from './print-cell.ts';

const mostDrawn = 20;
/** Neither side’s: these are changes of HTTPS between two days. */
const color = '#7A7F87';

/** This sweep beside another one of the same cells. */
export function ServersOverlay({ document }: { document: ServersDocument }) {
  return (
    <OverlaySection document={document}>
      {(other) => <Overlay document={document} other={other} />}
    </OverlaySection>
  );
}

function Overlay({ document, other }: { document: ServersDocument; other: ServersDocument }) {
  const [measure, setMeasure] = useAddress<LevelMeasure>('change', measureNames, 'cpu');
  const overlaid = overlayCells(document.cells, other.cells, measure).toSorted(byChange);
  const changed = overlaid.filter(hasChanged).length;
  const nameOf = namesOf(overlaid.map(({ cell }) => cell));
  const { title } = levelMeasures[measure];
  const caption =
    overlaid.length === 0
      ? 'No cell was measured in both sweeps.'
      : `${title} over HTTPS, this sweep against the one of ${printWhen(other.createdAt)}: ${changed} of ${printCount(overlaid.length, 'cell')} changed. Bars are 95 % CI.`;
  return (
    <>
      <ChoicePills
        legend="Change of"
        legendShown
        name="change"
        value={measure}
        choices={measureNames.map((value) => ({ value, label: levelMeasures[value].label }))}
        onChange={setMeasure}
      />
      {overlaid.length === 0 ? (
        <p>{caption}</p>
      ) : (
        <Figure
          height={null}
          caption={caption}
          table={<OverlayTable overlaid={overlaid} measure={measure} nameOf={nameOf} />}
        >
          <IntervalRows
            label={caption}
            rows={overlaid.slice(0, mostDrawn).map((each) => ({
              name: nameOf(each.cell),
              interval: mapEstimate(each.change, percentOf),
              hollow: null,
            }))}
            level={0}
            band={null}
            color={color}
            marker="circle"
            print={(percent) => printChange(1 + percent / 100)}
          />
        </Figure>
      )}
    </>
  );
}

type TableProps = {
  overlaid: readonly Overlaid[];
  measure: LevelMeasure;
  nameOf: (cell: ServersCell) => string;
};

function OverlayTable({ overlaid, measure, nameOf }: TableProps) {
  const { printBar } = levelMeasures[measure];
  const print = measure === 'overhead' ? printRatio : printBar;
  return (
    <LongTable
      caption="Cells of both sweeps"
      first={mostDrawn}
      what="cell"
      narrow="scroll"
      rows={overlaid}
      keyOf={({ cell }) => cell.id}
      columns={[
        { label: 'Cell', cell: ({ cell }) => nameOf(cell) },
        { label: 'Then', numeric: true, cell: ({ earlier }) => print(earlier) },
        { label: 'Now', numeric: true, cell: ({ later }) => print(later) },
        { label: 'Change', numeric: true, cell: ({ change }) => printRatio(change) },
      ]}
    />
  );
}
