import { printNumber } from '../../../shared/base/quantity.ts';
import type {
  CapacityLoad,
  CapacityPart,
  CapacityReport,
  PartName,
} from '../../../shared/kinds/comparison/capacity.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { coresOf, isClear, type Term } from './cores.ts';
import { connectionsOf, demandOf } from './demand.ts';

export const partTitles: Record<PartName, string> = {
  request: 'Application requests',
  connection: 'Accepting connections',
  full: 'Full handshakes',
  resumed: 'Resumed handshakes',
  byte: 'Encrypting the bytes',
};

/** Every step from the load to the cores, with its numbers. */
export function formulasOf(
  load: CapacityLoad,
  terms: readonly Term[],
  { coresWithout, coresWith }: Record<'coresWithout' | 'coresWith', Estimate>,
): CapacityReport['formulas'] {
  const { visitsPerS, requestsPerVisit, returningShare, keepAlive, resumption, utilisation } = load;
  const demand = demandOf(load);
  const share = `(1 − ${plain(returningShare)})`;
  const each = plain(connectionsOf(load));
  const opened = each === '1' ? '1 connection' : `${each} connections`;
  return [
    line(
      'Requests per second',
      `${plain(visitsPerS)} visits/s × ${plain(requestsPerVisit)} requests`,
      `${plain(demand.request)}/s`,
    ),
    line(
      'Connections per second',
      `${plain(visitsPerS)} visits/s × ${keepAlive ? opened : `${each} requests, one connection each`}`,
      `${plain(demand.connection)}/s`,
    ),
    resumption
      ? line(
          'Full handshakes per second',
          `${plain(visitsPerS)} visits/s × ${share} new × ${keepAlive ? opened : 'the first connection'}`,
          `${plain(demand.full)}/s`,
        )
      : line(
          'Full handshakes per second',
          'every connection, because no session is resumed',
          `${plain(demand.full)}/s`,
        ),
    line(
      'Resumed handshakes per second',
      `${plain(demand.connection)}/s − ${plain(demand.full)}/s`,
      `${plain(demand.resumed)}/s`,
    ),
    ...terms.map((term) => line(partTitles[term.part], formulaOf(term, load), cores(coresOf(term).center))),
    line('Cores without TLS', busyFormula(terms.filter(isClear), utilisation), cores(coresWithout.center)),
    line('Cores with TLS', busyFormula(terms, utilisation), cores(coresWith.center)),
  ];
}

export function partsOf(load: CapacityLoad, terms: readonly Term[]): CapacityPart[] {
  const total = terms.reduce((sum, term) => sum + coresOf(term).center, 0);
  return terms.map((term) => ({
    part: term.part,
    title: partTitles[term.part],
    cores: coresOf(term),
    share: total === 0 ? 0 : coresOf(term).center / total,
    formula: formulaOf(term, load),
  }));
}

function formulaOf({ part, count, cost }: Term, { pageBytes }: CapacityLoad): string {
  const { center } = cost.value;
  if (part !== 'byte') return `${plain(count)}/s × ${micro(center)}`;
  const requests = pageBytes === 0 ? 0 : count / pageBytes;
  return `${plain(requests)}/s × ${plain(pageBytes)} bytes × ${plain(center * 1000)} ns`;
}

function busyFormula(terms: readonly Term[], utilisation: number): string {
  return `(${terms.map((term) => plain(coresOf(term).center)).join(' + ')}) ÷ ${plain(utilisation)}`;
}

function line(title: string, formula: string, result: string) {
  return { title, formula: `${formula} = ${result}` };
}

export function cores(value: number): string {
  return `${plain(value)} ${plain(value) === '1' ? 'core' : 'cores'}`;
}

function micro(us: number): string {
  return `${plain(us)} µs`;
}

/** Three significant digits, more only of large numbers. */
export function plain(value: number): string {
  if (value === 0 || Number.isInteger(value)) return printNumber(value, 0);
  const digits = Math.floor(Math.log10(Math.abs(value)));
  const text = printNumber(value, Math.min(6, Math.max(0, 2 - digits)));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
