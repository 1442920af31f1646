import { lowered } from '../../../shared/base/capitalized.ts';
import { printNumber, printShare } from '../../../shared/base/quantity.ts';
import type {
  CapacityFigure,
  CapacityLoad,
  CapacityReport,
} from '../../../shared/kinds/comparison/capacity.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { inverse, scaled } from '../statistics/estimates.ts';
import { atCeiling, changesOf } from './changes.ts';
import { coresOf, isClear, type PartName, type Term, termsOf } from './cores.ts';
import type { Cost, CostSource } from './costs.ts';
import { cores, formulasOf, partsOf, partTitles, plain } from './formulas.ts';

/** How many cores a load takes without TLS and with it, from what its pieces cost. The last source has to know everything. */
export function planCapacity(load: CapacityLoad, costs: CostSource): Omit<CapacityReport, 'bill'> {
  const terms = termsOf(load, costs);
  const coresWithout = atCeiling(terms.filter(isClear), load);
  const coresWith = atCeiling(terms, load);
  const signs = costs.signs(load.key);
  const figures = figuresOf(terms, signs);
  const changes = changesOf(load, costs);
  return {
    load,
    figures,
    formulas: formulasOf(load, terms, { coresWithout, coresWith }),
    parts: partsOf(load, terms),
    coresWithout,
    coresWith,
    verdict: verdictOf(coresWithout, coresWith, load),
    limit: limitOf(terms, changes[0]?.title),
    changes,
    bound: signs === null ? null : boundOf(load, terms, signs.value),
    // Two typical figures would only check each other.
    crossCheck: signs === null || signs.source === 'typical' ? null : crossCheckOf(load, terms, signs.value),
    notes: notesOf(figures),
  };
}

const titles: Record<CapacityFigure['id'], string> = {
  request: 'Request without TLS, at load',
  connection: 'Accepting a connection',
  full: 'Full handshake, server side',
  resumed: 'Resumed handshake, server side',
  byte: 'Encrypting a byte',
  signs: 'Signatures per core',
};

function figuresOf(terms: readonly Term[], signs: Cost | null): CapacityFigure[] {
  const figures = terms.map(({ part, cost }): CapacityFigure => {
    const { value, ...origin } = cost;
    return part === 'byte'
      ? { id: part, title: titles[part], value: scaled(value, 1000), unit: 'ns', ...origin }
      : { id: part, title: titles[part], value, unit: 'µs', ...origin };
  });
  return signs === null
    ? figures
    : [...figures, { id: 'signs', title: titles.signs, unit: 'per s', ...signs }];
}

function verdictOf(without: Estimate, withTls: Estimate, { utilisation }: CapacityLoad): string {
  const more = withTls.center / without.center - 1;
  const difference =
    without.center === 0 ? 'all of it for TLS' : `${printNumber(100 * more, more < 0.1 ? 1 : 0)} % more`;
  return `You need ${cores(withTls.center)}${interval(withTls)} with TLS and ${plain(without.center)}${interval(without)} without, at ${printShare(utilisation)} CPU utilization: ${difference}. In whole cores, ${plain(whole(withTls))} and ${plain(whole(without))}.`;
}

/** Rounded up, but not for the last bit of a sum. */
function whole({ center }: Estimate): number {
  return Math.ceil(center - 1e-9);
}

function interval({ lo, hi }: Estimate): string {
  return lo === hi ? '' : ` (${plain(lo)} to ${plain(hi)})`;
}

function limitOf(terms: readonly Term[], change: string | undefined): string {
  const byCores = terms.toSorted((a, b) => coresOf(b).center - coresOf(a).center);
  const total = terms.reduce((sum, term) => sum + coresOf(term).center, 0);
  const [largest] = byCores;
  const ofTls = byCores.find((term) => !isClear(term));
  if (largest === undefined || ofTls === undefined || total === 0) return 'This load uses no CPU.';
  const shareOf = (term: Term) => printShare(coresOf(term).center / total);
  const first = `${partTitles[largest.part]} take the most CPU: ${shareOf(largest)}.`.replace(
    / take /,
    singular.has(largest.part) ? ' takes ' : ' take ',
  );
  const second =
    ofTls === largest
      ? ''
      : ` The largest TLS cost is ${partTitles[ofTls.part].toLowerCase()}: ${shareOf(ofTls)}.`;
  return `${first}${second}${change === undefined ? '' : ` Biggest saving: ${inSentence(change)}.`}`;
}

function inSentence(title: string): string {
  return /^[A-Z][a-z ]/.test(title) ? lowered(title) : title;
}

const singular = new Set<PartName>(['connection', 'byte']);

/** Apache Security, section 4.6: one signature for each new connection. */
function boundOf({ key }: CapacityLoad, terms: readonly Term[], signs: Estimate): string {
  const full = terms.find(({ part }) => part === 'full')?.count ?? 0;
  return `Upper bound: one core makes ${plain(signs.center)} signatures per second with ${key}, so it accepts at most that many full handshakes. Your ${plain(full)} per second need ${cores(full / signs.center)} for signatures alone.`;
}

/** Of a time when a handshake was little but its RSA signature. */
const rule = { lo: 0.45, hi: 0.6 };

function crossCheckOf({ key }: CapacityLoad, terms: readonly Term[], signs: Estimate): string {
  const cost = terms.find(({ part }) => part === 'full')?.cost.value;
  if (cost === undefined || cost.center === 0) return '';
  const perCore = inverse(cost, 1e6).center;
  const share = perCore / signs.center;
  const found = `Cross-check: one core makes ${plain(perCore)} full handshakes per second, ${printNumber(100 * share, 0)} % of its signatures with ${key}.`;
  if (share >= rule.lo && share <= rule.hi) return `${found} That matches the rule of thumb, 45 to 60 %.`;
  if (share < rule.lo) {
    return `${found} The rule of thumb is 45 to 60 %; signing is so cheap here that key agreement and the protocol weigh more.`;
  }
  return share > 1
    ? `${found} That is impossible, because each handshake needs a signature: the figures come from different machines, or one of the measurements was disturbed.`
    : `${found} The rule of thumb is 45 to 60 %; signing weighs more here.`;
}

function notesOf(figures: readonly CapacityFigure[]): string[] {
  const typical = figures.filter(({ source, id }) => source === 'typical' && id !== 'signs');
  return typical.length === 0
    ? []
    : [
        `${typical.length} of ${figures.length} figures are typical values. Measure handshakes and a run on this machine, then select them here.`,
      ];
}
