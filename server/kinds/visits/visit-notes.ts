import { printNumber } from '../../../shared/base/quantity.ts';
import type { Arm, BySide } from '../../../shared/base/transport.ts';
import type {
  Pass,
  PassKind,
  Spoken,
  VisitsBlock,
  VisitsFacts,
} from '../../../shared/kinds/visits/visits.ts';
import { passKinds } from '../../../shared/kinds/visits/visits.ts';
import type { Exchange } from '../../intake/traffic/page-exchange.ts';

export function spokenOf(exchanges: readonly (Exchange & Pick<Spoken, 'tls'>)[]): Spoken {
  const answered = exchanges.filter(({ status, fromCache }) => status > 0 && !fromCache);
  const unique = (texts: string[]) => [...new Set(texts)].filter((text) => text !== '').sort();
  return {
    protocols: unique(answered.map(({ protocol }) => protocol)),
    encodings: unique(answered.map(({ headers }) => headers['content-encoding'] ?? 'none')),
    tls: answered.find(({ tls }) => tls !== null)?.tls ?? null,
  };
}

export function visitNotes(
  blocks: readonly VisitsBlock[],
  spoken: BySide<Spoken> | null,
  { ownTwin, unfilmed }: Pick<VisitsFacts, 'ownTwin' | 'unfilmed'>,
): string[] {
  const dropped = blocks.flatMap(({ dropped }) => (dropped === null ? [] : [dropped]));
  return [
    ...(spoken === null ? [] : [comparedWhat(spoken.baseline, spoken.comparison)]),
    ...passKinds.flatMap((pass) => countsOf(blocks, pass)),
    ...(ownTwin
      ? []
      : ['The twin is the same HTTP listener, so differences between processes are not covered.']),
    ...(dropped.length === 0
      ? []
      : [`${dropped.length} of ${blocks.length} blocks were dropped: ${dropped[0]}`]),
    ...(unfilmed === undefined ? [] : [unfilmed]),
    'Times are sums over the documents of the journey. Its pages share cached files, even on the first visit. Each visit is one browser on an idle server, so the times do not describe a server under load.',
  ];
}

function comparedWhat(baseline: Spoken, comparison: Spoken): string {
  const said = ({ protocols, encodings }: Spoken) =>
    `${protocols.join(' and ')} (encodings: ${encodings.join(', ')})`;
  return said(baseline) === said(comparison)
    ? `Compared is TLS only: both sides spoke ${said(baseline)}.`
    : `Compared is what users get, not TLS only: http spoke ${said(baseline)}, https ${said(comparison)}.`;
}

/** Requests, bytes and cache hits are the same on every visit, or else worth a word. */
function countsOf(blocks: readonly VisitsBlock[], pass: PassKind): string[] {
  const of = (arm: Arm) =>
    blocks.flatMap(({ visits }) => visits.filter((visit) => visit.arm === arm).map((visit) => visit[pass]));
  const [baseline, comparison] = [of('baseline'), of('comparison')].map(describeCounts);
  if (blocks.length === 0) return [];
  const name = pass === 'cold' ? 'Cold' : 'Warm';
  return [
    baseline === comparison
      ? `${name}, on both sides: ${baseline}.`
      : `${name}: over http ${baseline}; over https ${comparison}.`,
  ];
}

function describeCounts(passes: readonly Pass[]): string {
  const range = (of: 'requests' | 'cacheHits' | 'bytes') => {
    const values = passes.map((pass) => pass[of]);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return `${printNumber(least, 0)}${least === most ? '' : ` to ${printNumber(most, 0)}`}`;
  };
  if (passes.length === 0) return 'nothing';
  return `${range('requests')} requests, ${range('cacheHits')} from the cache, ${range('bytes')} bytes`;
}
