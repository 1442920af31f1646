import { printChangeInterval, printNumber } from '../../../shared/base/quantity.ts';
import { bySide, labelsOf, type SideName, sideNames } from '../../../shared/base/transport.ts';
import {
  isPrimary,
  qualityOfVisits,
  turnOf,
  visitsHeadline,
  visitTolerance,
} from '../../../shared/kinds/visits/visit-judgement.ts';
import {
  journeyName,
  type PassKind,
  passesOf,
  passTitles,
  type VisitQuantity,
  type VisitRow,
  type VisitsDocument,
  type VisitTime,
  visitTimes,
  visitTimeTitles,
} from '../../../shared/kinds/visits/visits.ts';
import type {
  VisitedEvent,
  VisitingEvent,
  VisitsPhase,
} from '../../../shared/kinds/visits/visits-progress.ts';
import type { ProgressEvent } from '../../../shared/measurement/measurement.ts';
import { shownUnits } from '../../../shared/results/shown-measurement.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { spokenWords } from '../../../shared/words/negotiated-words.ts';
import { mayCall } from '../../api/identity.ts';
import { starting } from '../../api/late-call.ts';
import type { CreateMeasurement } from '../../api/use-create-measurement.ts';
import { Card, Section } from '../../components/card.tsx';
import { DataTable, XyFigure } from '../../components/data-table.tsx';
import { DeltaSection } from '../../components/delta-section.tsx';
import { served, useAddress } from '../../components/links.tsx';
import { MethodSection } from '../../components/method-section.tsx';
import { MediansSoFar } from '../../components/progress.tsx';
import { FindingHead, PagePicture, SettingLine, Warnings } from '../../components/result-head.tsx';
import { type Step, StepButtons } from '../../components/run-buttons.tsx';
import { Fold } from '../../components/term.tsx';
import { type Look, lookOfOutcome, lookOfState } from '../../format/looks.ts';
import { median, printCount, printDuration } from '../../format/printed-figures.ts';
import {
  type DeltaParts,
  deltaParts,
  freshReasons,
  type ShownDelta,
  type ShownUnit,
  shownDifference,
} from '../../format/shown-delta.ts';
import { type Sides, sidesOf } from '../../format/sides.ts';
import classes from './lab.module.css';
import { LinksSection } from './links-section.tsx';
import { PagesSection } from './pages-section.tsx';

type Props = { document: VisitsDocument; takeFocus: boolean };

export function VisitsPage({ document, takeFocus }: Props) {
  const { blocks, notes, browser, request, stuck, warnings } = document;
  const sides = sidesOf(document.sides);
  const kept = blocks.some(({ dropped }) => dropped === null);
  return (
    <>
      <VisitsHead document={document} takeFocus={takeFocus} />
      {served ? <StepButtons steps={stepsOf(document)} /> : null}
      <Warnings warnings={warnings} />
      {stuck === undefined ? null : (
        <Section id="stuck" title="Where a visit stopped" lead={stuck.sentence}>
          {stuck.picture === null ? null : <PagePicture jpeg={stuck.picture} />}
        </Section>
      )}
      {kept ? <TimesSection document={document} /> : null}
      <LinksSection document={document} />
      <PagesSection document={document} />
      <div className={classes.folds}>
        {notes.length === 0 ? null : (
          <Fold id="notes" title="What was compared" printed>
            <ul className={classes.notes}>
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </Fold>
        )}
        <MethodSection
          plan={[
            { name: 'Browser', value: browser },
            {
              name: 'Rounds',
              value: `${printNumber(request.blocks, 0)}, each with two visits to ${sides.baseline.label}, to ${sides.comparison.label}, and to the control, in random order and then in reverse; a warm-up round is discarded`,
            },
            { name: 'Seed', value: <code>{document.seed ?? 'none'}</code> },
          ]}
          machine={document.environment}
        />
      </div>
    </>
  );
}

function TimesSection({ document: { rows, sides } }: { document: VisitsDocument }) {
  const [unit, choose] = useAddress<ShownUnit>('unit', shownUnits, 'percent');
  return (
    <DeltaSection
      {...timesView(
        rows.filter(({ link = 0 }) => link === 0),
        unit,
      )}
      id="times"
      label="Times"
      caption="Times of the visits on both sides, with their difference and outcome"
      ci="95 % CI"
      of="Time"
      sides={sidesOf(sides)}
      one="round"
      onUnit={choose}
    />
  );
}

function stepsOf(document: VisitsDocument): Step[] {
  if (!mayCall(starting)) return [];
  const { id, request, startedAt, endedAt } = document;
  const time =
    startedAt === null || endedAt === null ? '' : `, ${printDuration((endedAt - startedAt) / 1000)}`;
  const scenario = request.journey?.scenario ?? null;
  const change = typesSecrets(request)
    ? scenario === null
      ? []
      : [{ title: 'Change settings', to: `/scenarios/${scenario}` }]
    : [{ title: 'Change settings', to: `/lab/visits?again=${id}` }];
  const again = againVisits(document);
  return [...(again === null ? [] : [{ title: `Run again${time}`, request: again }]), ...change];
}

/** Request that repeats the measurement; null if it needs secrets or keys, which are not stored. */
export function againVisits({ request }: Pick<VisitsDocument, 'request'>): CreateMeasurement | null {
  const { target, seed: _, ...asked } = request;
  const own = target.kind === 'origins' ? (target.clientCertificate ?? target.agent) : undefined;
  // A seed that was asked for would repeat the order of the visits too.
  return own !== undefined || typesSecrets(request) ? null : { ...asked, target };
}

function typesSecrets({ journey }: VisitsDocument['request']): boolean {
  return JSON.stringify(journey).includes('${secret:');
}

/** The times of visits on one axis, those that are tested in their sequence first. */
function timesView(rows: readonly VisitRow[], unit: ShownUnit): DeltaParts {
  const said = new Set<string>();
  const shown = rows.map((row) => ({ row, delta: deltaOf(row, said, unit) }));
  const isLeading = ({ row, delta }: (typeof shown)[number]) => isPrimary(row) && delta.difference !== null;
  return deltaParts(
    shown
      .filter(isLeading)
      .toSorted((a, b) => turnOf(a.row) - turnOf(b.row))
      .map(({ delta }) => delta),
    shown.filter((each) => !isLeading(each)).map(({ delta }) => delta),
    { tolerance: visitTolerance, unit },
  );
}

const definitions: Record<VisitQuantity, string> = {
  ttfbUs: 'From the start of a navigation to the first byte of its document.',
  fcpUs: 'From the start of a navigation until the page shows its first text or image.',
  lcpUs: 'From the start of a navigation until the page shows its largest text or image.',
  loadUs: 'From the start of a navigation until the page and what it needs have loaded.',
  serverCpuUs: 'CPU that the server’s processes used for a visit, the kernel’s part included.',
};

function deltaOf(row: VisitRow, said: Set<string>, unit: ShownUnit): ShownDelta {
  const { pass, time, ratio, twinRatio, outcome, pairs } = row;
  const title = `${visitTimeTitles[time]}, ${passTitles[pass].toLowerCase()}`;
  const id = `${pass}-${time.replace(/Us$/, '')}`;
  return {
    ...{ id, title, anchor: id, quantity: `visits/${pass}/${time}` },
    meaning: `${definitions[time]} The sum over all pages of the journey. Less is better.`,
    notes: [
      ...(twinRatio === null ? [] : [`Control: ${printChangeInterval(twinRatio)}.`]),
      ...(isPrimary(row) ? [] : ['Exploratory: not one of the times that decide the verdict.']),
    ],
    lines: freshReasons(row, said),
    look: lookOfOutcome(outcome, (ratio?.center ?? 1) - 1, 'lower', visitTolerance),
    ...shownDifference(
      { ...row, unit: 'us' },
      { ...{ title, unit, tolerance: visitTolerance }, ratios: pairs, one: 'round' },
    ),
  };
}

type HeadProps = { document: VisitsDocument; takeFocus: boolean };

/** The answer in one sentence; for visits that did not finish, what happened and what to try. */
function VisitsHead({ document, takeFocus }: HeadProps) {
  const { blocks, createdAt, request, spoken, browser } = document;
  const headline = visitsHeadline(document);
  const kept = blocks.filter(({ dropped }) => dropped === null).length;
  const target = factsOf(request.target);
  return (
    <FindingHead
      document={document}
      headline={headline}
      look={lookOfVisits(document)}
      evidence={kept === 0 ? null : <p data-testid="evidence">{evidenceOf(document, kept)}</p>}
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
        clean="No round was discarded, the control agreed with the first side, and visits varied little."
      />
    </FindingHead>
  );
}

/** `10 rounds of six visits, 2 min.` */
function evidenceOf({ startedAt, endedAt }: VisitsDocument, kept: number): string {
  const lasted = startedAt === null || endedAt === null ? [] : [printDuration((endedAt - startedAt) / 1000)];
  return [`${printCount(kept, 'round')} of six visits`, ...lasted].join(', ').concat('.');
}

/** Look of the first visit's load, once all has been measured. */
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

type VisitsProps = { document: VisitsDocument; figures: LiveVisits; counts: ProgressEvent['counts'] };

/** The browser's current action, and the times so far. */
export function LiveVisitTimes({ document, figures }: VisitsProps) {
  const sides = sidesOf(document.sides);
  return (
    <>
      <Now document={document} figures={figures} />
      {figures.visits.length === 0 ? null : (
        <>
          <LiveMedians request={document.request} figures={figures} sides={sides} />
          <LoadsSoFar figures={figures} sides={sides} planned={2 * document.request.blocks} />
        </>
      )}
    </>
  );
}

function Now({ document, figures: { now } }: Pick<VisitsProps, 'document' | 'figures'>) {
  if (now === null) return null;
  const labels = labelsOf(document.sides);
  const arm = { ...labels, twin: `the control of ${labels.baseline}` }[now.arm];
  return (
    <Card>
      <p data-testid="now">
        Now: {passTitles[now.pass].toLowerCase()} over {arm}, step {now.action} of {now.actions}
      </p>
    </Card>
  );
}

type FigureProps = { figures: LiveVisits; sides: Sides };

function LiveMedians({ figures, sides, request }: FigureProps & Pick<VisitsDocument, 'request'>) {
  const count = figures.visits.filter(({ arm }) => arm !== 'twin').length;
  const print = (us: number | null) => (us === null ? '–' : printNumber(us / 1000, us < 100_000 ? 1 : 0));
  const rows = passesOf(request).flatMap((pass) =>
    visitTimes.map((time) => ({
      name: `${visitTimeTitles[time]}, ${passTitles[pass].toLowerCase()}`,
      ...bySide((side) => print(medianOf(figures, side, pass, time))),
    })),
  );
  return <MediansSoFar of={printCount(count, 'visit')} head="Time, ms" sides={sides} rows={rows} />;
}

function LoadsSoFar({ figures, sides, planned }: FigureProps & { planned: number }) {
  const points = bySide((side) =>
    visitsOf(figures, side).map(({ cold }, index) => ({ x: index + 1, y: cold.loadUs / 1000 })),
  );
  const most = Math.max(...sideNames.map((side) => points[side].length));
  return (
    <Section id="loads" title="Visit by visit" card>
      <XyFigure
        height={220}
        caption="Load of each first visit. Provisional, because single visits vary."
        table={
          <DataTable
            caption="Load of each first visit so far, ms"
            narrow="scroll"
            rows={Array.from({ length: most }, (_, index) => index)}
            keyOf={(index) => index}
            columns={[
              { label: 'Visit', cell: (index) => index + 1 },
              ...sideNames.map((side) => ({
                label: sides[side].label,
                cell: (index: number) => {
                  const point = points[side][index];
                  return point === undefined ? '–' : printNumber(point.y, 0);
                },
              })),
            ]}
          />
        }
        label={`Load of each first visit, ${sides.baseline.label} and ${sides.comparison.label}, ${most} so far`}
        series={sideNames.map((side) => ({ ...sides[side], markerSize: 5, points: points[side] }))}
        x={{
          title: 'Visit',
          print: (value) => (Number.isInteger(value) ? String(value) : ''),
          min: 0,
          max: planned + 1,
        }}
        y={{ title: 'Load, ms', unit: 'ms', fromZero: true, print: (value) => printNumber(value, 0) }}
      />
    </Section>
  );
}

/** Visits under way. */
type LiveVisits = { now: VisitingEvent | null; visits: readonly VisitedEvent[] };

export const noVisits: LiveVisits = { now: null, visits: [] };

export function followVisits(live: LiveVisits, event: VisitingEvent | VisitedEvent): LiveVisits {
  return event.type === 'visiting' ? { ...live, now: event } : { ...live, visits: [...live.visits, event] };
}

export function visitsOf({ visits }: LiveVisits, side: SideName): VisitedEvent[] {
  return visits.filter(({ arm }) => arm === side);
}

/** Provisional; null before there is a value. */
export function medianOf(live: LiveVisits, side: SideName, pass: PassKind, time: VisitTime): number | null {
  const values = visitsOf(live, side).flatMap((visit) => visit[pass]?.[time] ?? []);
  return values.length === 0 ? null : median(values);
}

export const visitsView = {
  page: 'l' as const,
  subject: ({ request }: VisitsDocument) => `${journeyName(request)} in a browser`,
  method(document: VisitsDocument) {
    const { baseline, comparison } = sidesOf(document.sides);
    return `A real browser visits ${baseline.label} and ${comparison.label} in random order.`;
  },
  phases: () =>
    [
      { name: 'preparing', title: 'Preparing', text: 'Start the browser and the target.' },
      { name: 'warm-up', title: 'Warm-up', text: 'Visit each side once. These visits do not count.' },
      { name: 'measuring', title: 'Measuring', text: 'Visit each side with an empty cache, then again.' },
      {
        name: 'filming',
        title: 'Filming',
        text: 'Visit each side once more for pictures. These visits do not count.',
      },
    ] satisfies { name: VisitsPhase; title: string; text: string }[],
  figures: noVisits,
  follow: followVisits,
  Live: LiveVisitTimes,
  Finished: VisitsPage,
  csvRow: 'pass of a visit',
};
