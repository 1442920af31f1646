import { printShare } from '../../../shared/base/quantity.ts';
import type { Bill, Prices } from '../../../shared/kinds/comparison/bill.ts';
import type { CapacityLoad, CapacityReport } from '../../../shared/kinds/comparison/capacity.ts';
import type { HandshakesDocument } from '../../../shared/kinds/handshakes/handshakes.ts';
import { exactly, scaled, sum } from '../statistics/estimates.ts';
import { type BillLine, billOf } from './bill.ts';
import { isClear } from './cores.ts';
import { demandOf } from './demand.ts';
import { handshakeBytes, recordOverhead } from './handshake-bytes.ts';

type Planned = Pick<CapacityReport, 'load' | 'parts' | 'coresWithout' | 'coresWith'>;

/** The bill of a plan, with and without TLS. The bytes of handshakes come from a measured grid; without one they are not measured. */
export function billOfPlan(plan: Planned, grid: HandshakesDocument | null, prices: Prices): Bill {
  const { load, parts, coresWithout, coresWith } = plan;
  const ofTls = parts.filter((part) => !isClear(part)).map(({ cores }) => cores);
  return billOf(
    {
      sides: { baseline: 'HTTP', comparison: 'HTTPS' },
      cores: [
        {
          ...{ id: 'requests', title: 'Cores', note: `At ${printShare(load.utilisation)} CPU utilization.` },
          ...{ baseline: coresWithout, comparison: coresWith },
          added: scaled(sum(ofTls), 1 / load.utilisation),
        },
      ],
      bytesPerS: [responsesOf(load), handshakesOf(load, grid)],
      notIncluded: [],
    },
    prices,
  );
}

function responsesOf(load: CapacityLoad): BillLine {
  const { byte: bytes, request: requests } = demandOf(load);
  const records = requests * recordOverhead(load.pageBytes, load.version);
  return {
    ...{ id: 'responses', title: 'Bytes of responses' },
    ...{ baseline: exactly(bytes), comparison: exactly(bytes + records), added: exactly(records) },
    note: 'TLS records add 22 to 29 bytes to each 16 KiB.',
  };
}

function handshakesOf(load: CapacityLoad, grid: HandshakesDocument | null): BillLine {
  const { full, resumed } = demandOf(load);
  const title = 'Bytes of handshakes';
  const each = { full: handshakeBytes(grid, load, 'full'), resumed: handshakeBytes(grid, load, 'resumed') };
  if ((each.full === null && full > 0) || (each.resumed === null && resumed > 0)) {
    const note = 'Not measured: select a measurement of handshakes with this key and group.';
    return { id: 'handshakeBytes', title, baseline: null, comparison: null, added: null, note };
  }
  const sent = exactly(full * (each.full ?? 0) + resumed * (each.resumed ?? 0));
  return {
    ...{ id: 'handshakeBytes', title, baseline: exactly(0), comparison: sent, added: sent },
    note: 'With the certificates of the measurement.',
  };
}
