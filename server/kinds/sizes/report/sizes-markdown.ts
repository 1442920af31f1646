import { sentenceOf } from '../../../../shared/historic/claim.ts';
import { webperfClaims } from '../../../../shared/historic/webperf-claims.ts';
import { titleOfSizes } from '../../../../shared/kinds/sizes/size-words.ts';
import type { SizesDocument } from '../../../../shared/kinds/sizes/sizes.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import { plainly, tableOf } from '../../../../shared/words/markdown-text.ts';
import { listOf, machineOf } from '../../../base/text/markdown-parts.ts';
import { differenceRows, lineRows } from './line-rows.ts';
import { connectingOf, doubtsOf, methodOf, nameOfServer, thenAndNowOf, twinOf } from './size-notes.ts';
import { sizeRows } from './size-rows.ts';

/** A sweep over sizes as a report in Markdown. */
export function printSizesMarkdown(document: SizesDocument): string {
  const { id, createdAt, state, request, comparisons, problem, warnings, environment, command } = document;
  const doubts = [...doubtsOf(document), ...twinOf(document), ...connectingOf(document)];
  const then = [...thenAndNowOf(document), ...webperfClaims(document).map(sentenceOf)];
  const sections = [
    `# What HTTPS costs by document size: ${plainly(nameOfServer(document) ?? factsOf(request.target).name)}`,
    ...comparisons.map(({ verdict }) => plainly(verdict.sentence)),
    `Measurement ${id} of ${new Date(createdAt).toISOString()}, ${state}. ${plainly(methodOf(document))}`,
    problem === null ? '' : plainly(`${problem.detail} ${problem.advice}`),
    ...warnings.map((warning) => `**Note:** ${plainly(warning)}`),
    ...(['latency', 'cpu'] as const).flatMap((quantity) => {
      const tables = [lineRows(document, quantity), differenceRows(document, quantity)].map(tableOfRows);
      return tables.every((table) => table === '') ? [] : [`## ${titleOfSizes(quantity)}`, ...tables];
    }),
    ...underHeading('Sizes', tableOfRows(sizeRows(document))),
    ...underHeading('Doubts and limits', doubts.length === 0 ? '' : listOf(doubts)),
    ...underHeading('Then and now', then.map(plainly).join('\n\n')),
    `## Where\n\n${machineOf(environment, document.placement)}`,
    `## Repeat it\n\n    ${command}`,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function tableOfRows([header, ...rows]: string[][]): string {
  return header === undefined ? '' : tableOf(header, rows);
}

function underHeading(title: string, text: string): string[] {
  return text === '' ? [] : [`## ${title}`, text];
}
