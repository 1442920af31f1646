import { printFactor, printNumber } from '../../../../shared/base/quantity.ts';
import {
  primitiveGroups,
  primitiveGroupTitles,
  type SpeedDocument,
  type SpeedRow,
} from '../../../../shared/kinds/speed/speed.ts';
import {
  speedSentences,
  speedThenAndNow,
} from '../../../../shared/studies/then-and-now/speed-then-and-now.ts';
import { byReason, reportOf } from '../../../base/text/report/common-sections.ts';
import {
  figures,
  list,
  type Part,
  type Report,
  table,
  text,
  texts,
} from '../../../base/text/report/report.ts';
import { costTable, keyTable, sizeTable } from './speed-tables.ts';

/** The speed table: a section for each group of primitives, and why some are slower than openssl speed. */
export function reportSpeed(document: SpeedDocument): Report {
  const { plan, opensslProgram, costs, unavailable, environment, rows } = document;
  const beside =
    opensslProgram === null
      ? ''
      : ` Figures are those of openssl speed, ${opensslProgram}, where it has them.`;
  return reportOf(document, {
    title: 'What the cryptography of TLS costs',
    lead: [],
    measured: `per second of CPU time on one core, medians of ${plan.rounds} rounds, Node ${environment.node} with OpenSSL ${environment.openssl}.${beside}`,
    sections: [
      ...primitiveGroups.map((group) => {
        const ofGroup = rows.filter((row) => row.group === group);
        return { heading: primitiveGroupTitles[group], parts: [sizeTable(ofGroup), keyTable(ofGroup)] };
      }),
      {
        heading: 'Cost per call, from a line through the sizes (– where it misses a size by more than 10 %)',
        parts: [costTable(costs)],
      },
      // Of those with sizes, a terminal has the table of what a call costs.
      {
        heading: 'Why some sizes are slower than openssl speed',
        isDetail: true,
        parts: [list(explanations(rows.filter(({ bytes }) => bytes !== null)))],
      },
      {
        heading: 'Why some operations are slower than openssl speed',
        parts: [list(explanations(rows.filter(({ bytes }) => bytes === null)))],
      },
      { heading: 'Then and now', parts: [text(...speedSentences(rows)), thenAndNow(rows)] },
      { heading: 'Without a ratio', parts: [list(byReason(withoutRatio(rows)))] },
      {
        heading: 'Not measured',
        parts: [list(unavailable.map(({ primitive, reason }) => `${primitive}: ${reason}`))],
      },
    ],
  });
}

/** Of everything that is more than 10 % slower. */
function explanations(rows: readonly SpeedRow[]): string[] {
  return rows.flatMap(({ primitive, operation, bytes, explanation }) =>
    explanation === null
      ? []
      : [`${primitive} ${bytes === null ? operation : `${printNumber(bytes, 0)} B`}: ${explanation}`],
  );
}

function thenAndNow(rows: readonly SpeedRow[]): Part {
  const both = speedThenAndNow(rows).flatMap((each) =>
    each.nowPerS === null || each.factor === null
      ? []
      : [
          [
            `${each.algorithm}${each.bytes === null ? '' : `, ${printNumber(each.bytes, 0)} B`}`,
            String(each.year),
            printNumber(each.thenPerS, 0),
            printNumber(each.nowPerS, 0),
            printFactor(each.factor),
          ],
        ],
  );
  return table([...texts(''), ...figures('Year', 'Per s then', 'Per s now', 'Speedup')], both);
}

function withoutRatio(rows: readonly SpeedRow[]) {
  return rows.flatMap(({ primitive, openssl }) =>
    openssl.status === 'measured' || openssl.reason === ''
      ? []
      : [{ name: primitive, reason: openssl.reason }],
  );
}
