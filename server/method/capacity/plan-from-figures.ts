import type { Prices } from '../../../shared/kinds/comparison/bill.ts';
import type { CapacityLoad, CapacityReport, OwnFigures } from '../../../shared/kinds/comparison/capacity.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import type { HandshakesDocument } from '../../../shared/kinds/handshakes/handshakes.ts';
import type { SpeedDocument } from '../../../shared/kinds/speed/speed.ts';
import { billOfPlan } from './bill-of-plan.ts';
import { firstOf } from './costs.ts';
import { costsOfGrid } from './costs-of-grid.ts';
import { costsOfRun } from './costs-of-run.ts';
import { costsOfSpeed } from './costs-of-speed.ts';
import { ownCosts } from './own-costs.ts';
import { planCapacity } from './plan-capacity.ts';
import { typicalCosts } from './typical-costs.ts';

type Figures = {
  own: OwnFigures;
  grid: HandshakesDocument | null;
  speed: SpeedDocument | null;
  run: RunDocument | null;
};

/** What was pasted goes before what was measured, handshakes before what is put together from primitives. */
export function planFromFigures(
  load: CapacityLoad,
  { own, grid, speed, run }: Figures,
  prices: Prices,
): CapacityReport {
  const report = planCapacity(
    load,
    firstOf([
      ownCosts(own, load),
      ...(grid === null ? [] : [costsOfGrid(grid, load.version)]),
      ...(speed === null ? [] : [costsOfSpeed(speed, load.version)]),
      ...(run === null ? [] : [costsOfRun(run)]),
      typicalCosts(load.version),
    ]),
  );
  return {
    ...report,
    notes: [...report.notes, ...machineNotes([grid, speed, run])],
    bill: billOfPlan(report, grid, prices),
  };
}

function machineNotes(documents: readonly (Pick<RunDocument, 'environment'> | null)[]): string[] {
  const machines = new Set(documents.flatMap((each) => each?.environment.cpuModel ?? []));
  return machines.size < 2 ? [] : [`The figures are from different machines: ${[...machines].join(', ')}.`];
}
