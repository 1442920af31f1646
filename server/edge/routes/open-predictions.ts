import { placeOptions, valueIn } from '../../../shared/base/option.ts';
import { problem } from '../../../shared/base/problem.ts';
import { bySide, isEncrypted, sideNames } from '../../../shared/base/transport.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { askedSidesOf, resolveSides } from '../../../shared/kinds/comparison/run-request.ts';
import type { Predictions } from '../../../shared/kinds/prices/predictions.ts';
import type { PricesDocument } from '../../../shared/kinds/prices/prices.ts';
import type { RunSummary } from '../../../shared/results/summary.ts';
import { serverOptions } from '../../../shared/target/server-options.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { serversOfSides } from '../../../shared/words/side-words.ts';
import { madeWith } from '../../kinds/comparison/asked-question.ts';
import { differenceOf } from '../../kinds/comparison/comparable-runs.ts';
import { judgePredictions, type Predicted, predictRun } from '../../kinds/prices/price-predictions.ts';
import type { AppParts } from './endpoint.ts';

type Parts = Pick<AppParts, 'measurements' | 'results'>;

/** The newest runs of a list’s target that are looked at. */
const mostRuns = 60;
/** Predictions that are kept while the server runs. */
const mostKept = 2000;

/**
 * Later runs of the server of a price list, beside what the list predicts for them. Neither a list nor a run changes once it is over, and
 * reading a run takes time, so each prediction is kept.
 */
export function openPredictions({ measurements, results }: Parts): (id: string) => Promise<Predictions> {
  /** Null for a run of another server. */
  const kept = new Map<string, Predicted | string | null>();

  async function readPrediction(list: PricesDocument, id: string): Promise<Predicted | string | null> {
    const key = `${list.id} ${id}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const run = (await measurements.document(id)).document as unknown as RunDocument;
    const found = isOfServer(list, run) ? predictRun(list, run) : null;
    if (kept.size >= mostKept) kept.clear();
    kept.set(key, found);
    return found;
  }

  return async (id) => {
    const { kind, document, final } = await results.document(id);
    if (kind !== 'prices') throw problem('not_found', 'Only price lists predict runs.');
    const list = document as unknown as PricesDocument;
    if (!final || list.items.length === 0) return { runs: [], leftOut: [], others: 0, suspect: null };
    const later = await laterRuns(measurements, list);
    const found = [];
    for (const { id, url, title, createdAt } of later)
      found.push({ about: { id, url, title, createdAt }, found: await readPrediction(list, id) });
    const own = found.flatMap((each) => (each.found === null ? [] : [{ ...each, found: each.found }]));
    return { ...judgePredictions(list, own), others: found.length - own.length };
  };
}

/** Oldest first. A run that another one continues is part of that one. */
async function laterRuns(
  measurements: Parts['measurements'],
  { createdAt, request }: PricesDocument,
): Promise<RunSummary[]> {
  const { summaries } = await measurements.list({
    ...{ kinds: ['comparison'], state: 'finished', limit: mostRuns },
    target: factsOf(request.target).name,
  });
  const runs = summaries.flatMap((each) =>
    each.kind === 'comparison' && each.createdAt > createdAt ? [each] : [],
  );
  const continued = new Set(runs.map(({ continues }) => continues));
  return runs.filter(({ id }) => !continued.has(id)).reverse();
}

/** Whether a run had the same program, configuration, machine, and TLS. */
function isOfServer(list: PricesDocument, run: RunDocument): boolean {
  const [, ...companions] = list.programs;
  const listed = madeWith({
    ...{ target: list.request.target.kind, environment: list.environment },
    servers: bySide(() => list.server),
    negotiated: { baseline: null, comparison: list.negotiated },
    programs: companions.map((name) => ({ name, role: 'companion' as const })),
  });
  const made = madeWith({
    ...{ target: run.target.kind, environment: run.environment, servers: serversOfSides(run) },
    negotiated: bySide((side) => run.tls[side].negotiated),
    programs: run.cpuOf,
  });
  return differenceOf(made, listed) === null && isConfiguredAlike(list, run);
}

/** The documents that it serves matter to neither. */
function isConfiguredAlike({ request: { target } }: PricesDocument, run: RunDocument): boolean {
  const sides = resolveSides(askedSidesOf(run));
  return sideNames.every((side) => {
    const { target: own, transport } = sides[side];
    if (own.kind !== 'managed' || target.kind !== 'managed') return own.kind === target.kind;
    const options = placeOptions(null, serverOptions).filter(
      ({ name, option }) => name !== 'documents' && (option.ofTls !== true || isEncrypted(transport)),
    );
    return (
      own.server === target.server &&
      options.every((placed) => valueIn(own, placed) === valueIn(target, placed))
    );
  });
}
