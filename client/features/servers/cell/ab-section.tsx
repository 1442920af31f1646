import { printNumber } from '../../../../shared/base/quantity.ts';
import {
  type CellDocument,
  type CellSide,
  cellSides,
} from '../../../../shared/kinds/servers/servers-result.ts';
import { ChoicePills } from '../../../components/choice-pills.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { ScrollRegion } from '../../../components/scroll-region.tsx';
import { Section } from '../../../components/section.tsx';
import { useAddress } from '../../../components/use-address.ts';
import classes from '../servers.module.css';
import { StudyTable } from './study-table.tsx';

/** Each side as ab would have printed it, and the study of 2011 beside HTTPS. */
export function AbSection({ document: { id, result, reports } }: { document: CellDocument }) {
  const sides = cellSides.filter((side) => reports[side] !== null);
  const [side, choose] = useAddress<CellSide>('side', sides, 'https');
  const report = reports[side];
  if (report === null) return null;
  const path = `/r/${id}/cells/${result.cell.id}/${side}.ab.txt`;
  return (
    <Section
      id="ab"
      title="ab report"
      lead={`Round ${printNumber(report.round + 1, 0)}, which has the median rate. Add ?round= to the download address for another.`}
      card
    >
      <div className="stack wide">
        <ChoicePills
          legend="Side"
          name="side"
          value={side}
          choices={sides.map((value) => ({ value, label: value.toUpperCase() }))}
          onChange={choose}
        />
        <ScrollRegion label="Report" narrow="scroll">
          <pre className={classes.report} data-testid="ab-report">
            {report.text}
          </pre>
        </ScrollRegion>
        <div className={classes.links}>
          <CopyButton text={report.text}>Copy report</CopyButton>
          <a href={path} download={`tls-toll-${id}-${result.cell.id}-${side}.ab.txt`}>
            Download {side}.ab.txt
          </a>
        </div>
        <StudyTable result={result} report={reports.https} />
      </div>
    </Section>
  );
}
