import type { z } from 'zod';
import type { Environment } from '../../shared/base/environment.ts';
import { differenceOf, quotientOf } from '../../shared/base/estimate-arithmetic.ts';
import { flagsOf, type PlacedOption } from '../../shared/base/option.ts';
import { problem } from '../../shared/base/problem.ts';
import { printNumber } from '../../shared/base/quantity.ts';
import type { Estimate } from '../../shared/base/units.ts';
import {
  type ChangeOutcome,
  type FigureChange,
  type FigureChanges,
  type FigureName,
  overlaid,
  type SetupDifference,
} from '../../shared/kinds/comparison/result-changes.ts';
import type { FigureRow, Figures, HistoryView } from '../../shared/measurement/history-view.ts';
import type { KindName } from '../../shared/measurement/kind-names.ts';
import type { SecretValues } from '../../shared/scenario/scenario.ts';
import { type FigureScale, figureScale, hasGrown, usualTolerance } from '../../shared/words/change-words.ts';
import { reportFigureChanges } from '../base/text/report.ts';
import { columnOf } from '../base/text/terminal.ts';
import type { AnyDocument, Changes, Frame, Kept, Kind, Prepared, Titled } from './kind.ts';

/** Schemas of a kind, and its options where these are its command line. */
type Shapes = {
  request: z.ZodType;
  facts: z.ZodType;
  block: z.ZodType;
  document: z.ZodType<KnownDocument> & {
    shape: { kind: { value: KindName }; schemaVersion: { value: number } };
  };
  command?: { options: readonly PlacedOption[] };
};

type KnownDocument = AnyDocument & ComparedDocument & { schemaVersion: number };

type Part = 'request' | 'facts' | 'block' | 'document';
type Output<Of extends Shapes, Name extends Part> = z.output<Of[Name]>;
type KindOf<Of extends Shapes, House> = Kind<
  Output<Of, 'request'>,
  Output<Of, 'facts'>,
  Output<Of, 'block'>,
  Output<Of, 'document'>,
  House
>;

/** Members that follow from the schemas, and members that have a default. */
type Derived = 'name' | 'documentVersion' | `${string}Schema`;
type Usual = 'upgraders' | 'targets' | 'secretsOf' | 'summaryOf' | 'changes';

/** Members that a kind declares itself. */
type Own<Of extends Shapes, House> = Omit<KindOf<Of, House>, Derived | Usual | 'prepare' | 'documentOf'> &
  Partial<Pick<KindOf<Of, House>, Usual>> & {
    prepare(
      request: Output<Of, 'request'>,
      secrets: SecretValues,
      house: House,
    ): Promise<{ facts: Output<Of, 'facts'> } & Partial<Prepared<unknown>>>;
    /** Compares two results, figure by figure. Without it and `changes`, the page overlays them. */
    compared?: FigureComparison<Output<Of, 'document'>>;
    /** Command that repeats it. Default: its verb with its options. */
    command?(request: Output<Of, 'request'>, seed: number): string;
    documentOf(
      head: Head<Output<Of, 'request'>, Output<Of, 'document'>>,
      kept: Kept<Output<Of, 'facts'>, Output<Of, 'block'>>,
    ): Output<Of, 'document'>;
  };

/** Beginning of every document. */
type Head<Request, Document extends KnownDocument> = Pick<Document, 'schemaVersion' | 'kind'> &
  Frame<Request> & { command: string };

/** A kind, with what follows from its schemas. */
export function defineKind<Of extends Shapes, House = unknown>(
  shapes: Of,
  own: Own<Of, House>,
): KindOf<Of, House> {
  const { command: { options } = { options: [] } } = shapes;
  const { kind, schemaVersion } = shapes.document.shape;
  const schemas = shapes as unknown as { [Name in Part]: z.ZodType<Output<Of, Name>> };
  return {
    ...{ upgraders: {}, targets: () => [], secretsOf: () => [], summaryOf: () => ({}) },
    changes: (from, to) =>
      own.compared === undefined
        ? { changes: overlaid(kind.value, from.document.id, to.document.id), report: null }
        : changesOfFigures(own.compared, from, to),
    ...own,
    ...{ name: kind.value, documentVersion: schemaVersion.value },
    ...{ requestSchema: schemas.request, factsSchema: schemas.facts, blockSchema: schemas.block },
    documentSchema: schemas.document,
    prepare: async (...asked) => ({ summary: {}, revisionId: null, ...(await own.prepare(...asked)) }),
    documentOf(frame, kept) {
      const { request } = frame;
      const { seed } = kept.facts as { seed: number };
      const command =
        own.command?.(request, seed) ?? printCommand(kind.value, options, { ...(request as object), seed });
      const head = { schemaVersion: schemaVersion.value, kind: kind.value, ...frame, command };
      return own.documentOf(head as Parameters<typeof own.documentOf>[0], kept);
    },
  };
}

/** The command that repeats a measurement, in the same order if the request contains its seed. */
export function printCommand(kind: KindName, options: readonly PlacedOption[], request: object): string {
  return [`npx tls-toll ${kind}`, ...flagsOf(options, request)].join(' ');
}

/** Rows of a view. Each column has the value at the path that it is named by; a boolean is 1 or 0. */
export function figuresIn(view: HistoryView, records: readonly object[]): Figures {
  const rows = records.map((record) => {
    const values = new Map(valuesIn(record, []));
    return Object.fromEntries(view.columns.map(({ name }) => [name, values.get(name) ?? null]));
  });
  return { view, rows };
}

function valuesIn(value: unknown, path: readonly string[]): [string, FigureRow[string]][] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, each]) => valuesIn(each, [...path, name]));
  return [[columnOf(path), typeof value === 'boolean' ? Number(value) : (value as FigureRow[string])]];
}

/** Compares two results, figure by figure. */

type ComparedDocument = {
  kind: KindName;
  id: string;
  createdAt: number;
  environment: Environment;
};

/** How a kind is compared by its figures. */
export type FigureComparison<Document> = {
  figure: FigureChanges['figure'];
  /** Describes the figures in a sentence. */
  lead: string;
  /** Figures with the same ID are compared. */
  figuresOf(document: Document): Figure[];
  /** Its set-up, without the machine. */
  setupOf(document: Document): SetupFact[];
};

/** `figure` where it is another one than that of most. */
type Figure = { id: string; name: string; figure?: FigureName; estimate: Estimate | null };

/** `content` is what differs where the words of two are the same. */
export type SetupFact = { name: string; value: string; content?: string };

/** Throws results_not_comparable when they have no figure in common. */
function compareFigures<Document extends ComparedDocument>(
  { figure, lead, figuresOf, setupOf }: FigureComparison<Document>,
  from: Titled<Document>,
  to: Titled<Document>,
): FigureChanges {
  const rows = changesOf(figure, figuresOf(from.document), figuresOf(to.document));
  const known = rows.filter(({ outcome }) => outcome !== 'unknown');
  if (known.length === 0) {
    throw problem('results_not_comparable', 'The two results share no figure with an interval.');
  }
  const facts = (document: Document) => [...setupOf(document), ...environmentFacts(document.environment)];
  return {
    ...{ kind: to.document.kind as FigureChanges['kind'], figure },
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

function changesOf(usual: FigureName, before: readonly Figure[], after: readonly Figure[]): FigureChange[] {
  const [first, second] = [byId(before), byId(after)];
  return [...new Map([...before, ...after].map((each) => [each.id, each])).values()].map(
    ({ id, name, figure }) => {
      const [from, to] = [first.get(id) ?? null, second.get(id) ?? null];
      const own = figure === undefined ? {} : { figure };
      return { id, name, ...own, from, to, ...shiftOf(figureScale(figure ?? usual), from, to) };
    },
  );
}

function byId(figures: readonly Figure[]): Map<string, Estimate | null> {
  return new Map(figures.map(({ id, estimate }) => [id, estimate]));
}

type Shift = Pick<FigureChange, 'ratio' | 'delta' | 'outcome'>;

/** A ratio needs both above zero. */
function shiftOf(scale: FigureScale, from: Estimate | null, to: Estimate | null): Shift {
  const unknown = { ratio: null, delta: null, outcome: 'unknown' } as const;
  if (from === null || to === null) return unknown;
  const isDivisible = from.lo > 0 && to.lo > 0;
  if (scale === 'ratio' && !isDivisible) return unknown;
  if (scale === 'difference' || !isDivisible) {
    const delta = differenceOf(to, from);
    return { ratio: null, delta, outcome: outcomeOf(delta, 0, usualTolerance * Math.abs(from.center)) };
  }
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
