import type { Environment } from '../../shared/base/environment.ts';
import { differenceOf, quotientOf } from '../../shared/base/estimate-arithmetic.ts';
import { problem } from '../../shared/base/problem.ts';
import { printNumber } from '../../shared/base/quantity.ts';
import type { Estimate } from '../../shared/base/units.ts';
import type {
  ChangeOutcome,
  FigureChange,
  FigureChanges,
  SetupDifference,
} from '../../shared/kinds/comparison/result-changes.ts';
import { figureScale, hasGrown, usualTolerance } from '../../shared/words/change-words.ts';
import { reportFigureChanges } from '../base/text/report.ts';
import type { Changes, Titled } from './kind.ts';

/** Compares two results, figure by figure. */

type ComparedDocument = { id: string; createdAt: number; environment: Environment };

/** How a kind is compared by its figures. */
export type FigureComparison<Document> = {
  kind: FigureChanges['kind'];
  figure: FigureChanges['figure'];
  /** Describes the figures in a sentence. */
  lead: string;
  /** Figures with the same ID are compared. */
  figuresOf(document: Document): Figure[];
  /** Its set-up, without the machine. */
  setupOf(document: Document): SetupFact[];
};

export type Figure = { id: string; name: string; estimate: Estimate | null };

/** `content` is what differs where the words of two are the same. */
export type SetupFact = { name: string; value: string; content?: string };

/** Throws results_not_comparable when they have no figure in common. */
export function compareFigures<Document extends ComparedDocument>(
  { kind, figure, lead, figuresOf, setupOf }: FigureComparison<Document>,
  from: Titled<Document>,
  to: Titled<Document>,
): FigureChanges {
  const rows = changesOf(figureScale(figure), figuresOf(from.document), figuresOf(to.document));
  const known = rows.filter(({ outcome }) => outcome !== 'unknown');
  if (known.length === 0) {
    throw problem('results_not_comparable', 'The two results share no figure with an interval.');
  }
  const facts = (document: Document) => [...setupOf(document), ...environmentFacts(document.environment)];
  return {
    ...{ kind, figure },
    from: describe(from),
    to: describe(to),
    headline: { title: titleOf(known), second: lead },
    setup: differencesOf(facts(from.document), facts(to.document)),
    cautions: known.length < 10 ? [] : [chanceOf(known.length)],
    rows,
  };
}

/** The same with its report. Throws results_not_comparable. */
export function changesOfFigures<Document extends ComparedDocument>(
  comparison: FigureComparison<Document>,
  from: Titled<Document>,
  to: Titled<Document>,
): Changes {
  const changes = compareFigures(comparison, from, to);
  return { changes, report: () => reportFigureChanges(changes) };
}

function describe({ document: { id, createdAt }, title }: Titled<ComparedDocument>): FigureChanges['from'] {
  return { id, url: `/l/${id}`, title, createdAt };
}

function changesOf(scale: Scale, before: readonly Figure[], after: readonly Figure[]): FigureChange[] {
  const [first, second] = [byId(before), byId(after)];
  const names = new Map([...before, ...after].map(({ id, name }) => [id, name]));
  return [...names].map(([id, name]) => {
    const [from, to] = [first.get(id) ?? null, second.get(id) ?? null];
    return { id, name, from, to, ...shiftOf(scale, from, to) };
  });
}

function byId(figures: readonly Figure[]): Map<string, Estimate | null> {
  return new Map(figures.map(({ id, estimate }) => [id, estimate]));
}

type Scale = ReturnType<typeof figureScale>;
type Shift = Pick<FigureChange, 'ratio' | 'delta' | 'outcome'>;

/** A ratio needs both above zero. */
function shiftOf(scale: Scale, from: Estimate | null, to: Estimate | null): Shift {
  const unknown = { ratio: null, delta: null, outcome: 'unknown' } as const;
  if (from === null || to === null) return unknown;
  if (scale === 'difference') {
    const delta = differenceOf(to, from);
    return { ratio: null, delta, outcome: outcomeOf(delta, 0, usualTolerance * Math.abs(from.center)) };
  }
  if (from.lo <= 0 || to.lo <= 0) return unknown;
  const ratio = quotientOf(to, from);
  return { ratio, delta: null, outcome: outcomeOf(ratio, 1, usualTolerance) };
}

/** @param none where nothing has changed */
function outcomeOf({ lo, hi }: Estimate, none: number, within: number): ChangeOutcome {
  if (lo > none || hi < none) return 'changed';
  return lo > none - within && hi < none + within ? 'no_change' : 'inconclusive';
}

/** `3 of 40 figures changed, 1 up and 2 down`. */
function titleOf(known: readonly FigureChange[]): string {
  const changed = known.filter(({ outcome }) => outcome === 'changed');
  const all = `${printNumber(known.length, 0)} ${known.length === 1 ? 'figure' : 'figures'}`;
  if (changed.length === 0) return `None of ${all} changed`;
  const up = changed.filter(hasGrown).length;
  return `${changed.length} of ${all} changed, ${up} up and ${changed.length - up} down`;
}

function chanceOf(known: number): string {
  const expected = printNumber(known * 0.05, 0);
  return `With ${printNumber(known, 0)} intervals of 95 %, expect about ${expected} to exclude zero change by chance alone.`;
}

/** Skips facts that only one of them has. */
function differencesOf(from: readonly SetupFact[], to: readonly SetupFact[]): SetupDifference[] {
  const others = new Map(to.map((fact) => [fact.name, fact]));
  return from.flatMap((fact) => {
    const other = others.get(fact.name);
    if (other === undefined || contentOf(fact) === contentOf(other)) return [];
    const isSaid = fact.value !== other.value;
    return [{ name: fact.name, from: fact.value, to: isSaid ? other.value : `other ${other.value}` }];
  });
}

function contentOf({ value, content = value }: SetupFact): string {
  return content;
}

export function environmentFacts(environment: Environment): SetupFact[] {
  const { cpuModel, cpuFlags, cores, platform, kernel, governor, node, openssl, product } = environment;
  return [
    { name: 'CPU', value: cpuModel },
    { name: 'Cores', value: printNumber(cores, 0) },
    { name: 'CPU instructions', value: cpuFlags.join(' ') || 'not known' },
    { name: 'CPU governor', value: governor ?? 'not known' },
    { name: 'Operating system', value: `${platform}, kernel ${kernel}` },
    { name: 'Node', value: node },
    { name: 'OpenSSL of TLS Toll', value: openssl },
    { name: 'TLS Toll', value: product },
  ];
}
