import { bySide, schemeOf, sideNames } from '../base/transport.ts';
import type { RunDocument } from '../kinds/comparison/run.ts';
import { type AskedSides, askedSidesOf, resolveSides } from '../kinds/comparison/side.ts';
import { factsOf } from '../target/target-facts.ts';
import { serverTitles } from './target-words.ts';

/** What the two sides of a run load, which may be one target or two. */

/** As lists and their filter call it: `storefront`, `nginx`, `nginx | node`, or its addresses. */
export function targetNameOf(request: AskedSides): string {
  const sides = resolveSides(request);
  const hasOwnAddress = sideNames.some((side) => request.sides[side].target?.origin !== undefined);
  const names = sideNames.map((side) => {
    const { target, transport } = sides[side];
    const address = target.kind === 'origins' ? target[schemeOf(transport)] : undefined;
    return hasOwnAddress && address !== undefined ? address : factsOf(target).name;
  });
  return [...new Set(names)].join(' | ');
}

/** What lists call a run. */
export function titleOfRun({ scenario, ...request }: AskedSides & { scenario: { name: string } }): string {
  return `${scenario.name} on ${targetNameOf(request)}`;
}

/** The same of its document. */
export function titleOfDocument(run: Pick<RunDocument, 'target' | 'asked' | 'scenario'>): string {
  return titleOfRun({ ...askedSidesOf(run), scenario: run.scenario });
}

/** `the built-in storefront`, `nginx and Node, started here`, or the origins of the two sides. */
export function targetsInSentence(run: Pick<RunDocument, 'target' | 'asked' | 'sides'>): string {
  const resolved = resolveSides(askedSidesOf(run));
  const [baseline, comparison] = sideNames.map((side) => resolved[side].target);
  if (baseline?.kind === 'managed' && comparison?.kind === 'managed' && baseline.server !== comparison.server)
    return `${serverTitles[baseline.server]} and ${serverTitles[comparison.server]}, started here`;
  const origins = bySide((side) => run.sides[side].origin);
  const known = [origins.baseline, origins.comparison].filter((origin) => origin !== null);
  return factsOf(run.target).title ?? [...new Set(known)].join(' and ');
}
