import { capitalized } from '../../../../shared/base/capitalized.ts';
import { printQuantity } from '../../../../shared/base/quantity.ts';
import { scaleOf } from '../../../../shared/base/shift.ts';
import { qualityOfVisits, visitTolerance } from '../../../../shared/kinds/visits/visit-judgement.ts';
import { visitSentences } from '../../../../shared/kinds/visits/visit-sentence.ts';
import { journeyName, type VisitRow, type VisitsDocument } from '../../../../shared/kinds/visits/visits.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import { spokenWords } from '../../../../shared/words/spoken-words.ts';
import { FindingHead } from '../../../components/result-head.tsx';
import { SettingLine } from '../../../components/setting-line.tsx';
import { printCount } from '../../../format/count.ts';
import { printDuration } from '../../../format/duration.ts';
import { type Look, lookOfOutcome, lookOfState } from '../../../format/outcome.ts';

type Props = { document: VisitsDocument; takeFocus: boolean };

/** The answer in one sentence; for visits that did not finish, what happened and what to try. */
export function VisitsHead({ document, takeFocus }: Props) {
  const { rows, blocks, createdAt, request, spoken, browser } = document;
  const [headline, ...more] = visitSentences(rows);
  const kept = blocks.filter(({ dropped }) => dropped === null).length;
  const target = factsOf(request.target);
  return (
    <FindingHead
      document={document}
      tab="What HTTPS costs a visitor"
      headline={headline}
      look={lookOfVisits(document)}
      evidence={
        kept === 0 ? null : <p data-testid="evidence">{[...more, evidenceOf(document, kept)].join(' ')}</p>
      }
      takeFocus={takeFocus}
    >
      <SettingLine
        items={[
          `${journeyName(request)} on ${target.title ?? target.name}`,
          ...(spoken === null ? [] : [spokenWords(spoken)]),
          ...(browser === '' ? [] : [shortBrowser(browser)]),
        ]}
        createdAt={createdAt}
        quality={kept === 0 ? null : qualityOfVisits(document)}
        clean="No block was left out, the twin agreed with the baseline, and visits scattered little."
      />
    </FindingHead>
  );
}

/** `Load 589 ms → 646 ms; 10 blocks of six visits, 2 min.` */
function evidenceOf({ rows, startedAt, endedAt }: VisitsDocument, kept: number): string {
  const load = rows.find(({ pass, time }) => pass === 'cold' && time === 'loadUs');
  const lasted = startedAt === null || endedAt === null ? [] : [printDuration((endedAt - startedAt) / 1000)];
  return capitalized(
    [
      ...(load === undefined ? [] : sidesOfLoad(load)),
      [`${printCount(kept, 'block')} of six visits`, ...lasted].join(', '),
    ].join('; '),
  ).concat('.');
}

function sidesOfLoad(row: VisitRow): string[] {
  const { baseline, comparison } = row;
  if (baseline === null || comparison === null) return [];
  const scale = scaleOf({ ...row, unit: 'us' });
  return [
    `first visit ${printQuantity(baseline.center, scale)} → ${printQuantity(comparison.center, scale)}`,
  ];
}

/** Of the load of the first visit, once all has been measured. */
function lookOfVisits({ state, rows }: VisitsDocument): Look {
  const load = rows.find(({ pass, time }) => pass === 'cold' && time === 'loadUs');
  if (state !== 'finished' || load === undefined) return lookOfState(state);
  // The sentence does not tell them apart.
  const outcome = load.outcome === 'not_tested' ? 'inconclusive' : load.outcome;
  return lookOfOutcome(outcome, (load.ratio?.center ?? 1) - 1, 'lower', visitTolerance);
}

/** `Chromium 142` of `Chromium 142.0.7444.59`. */
function shortBrowser(browser: string): string {
  return browser.split('.', 1).join('');
}
