import { printNumber } from '../../base/quantity.ts';
import type { ArmFacts, SizesDocument } from './sizes.ts';

/** Texts about a sweep over sizes that both ends print. */

export function titleOfSizes(quantity: 'latency' | 'cpu'): string {
  return quantity === 'latency' ? 'Latency' : 'Server CPU at load';
}

/** How many users, and how busy they kept the server; null before it has started. */
export function describeLoad(document: Pick<SizesDocument, 'load' | 'arms'>): string | null {
  const { load } = document;
  if (load === null) return null;
  const busy = busyOf(document);
  return `${load.users} users on one side at a time${busy === null ? '' : `, the server busy with ${printBusy(busy, load.cores)}`}`;
}

/** Share of its cores. A server that uses less is not fully busy. */
const saturated = 0.9;

/** A sentence if the server did not use all of its cores; null if it did, or if that is unknown. */
export function unsaturated(document: Pick<SizesDocument, 'load' | 'arms'>): string | null {
  const { load } = document;
  const busy = busyOf(document);
  if (load === null || load.cores === null || busy === null || busy.min >= saturated * load.cores)
    return null;
  return `At some sizes, the server was not fully busy: it used ${printBusy(busy, load.cores)}. Its CPU per request is that of ${load.users} users.`;
}

type Busy = { min: number; max: number };

/** Over all sizes and sides. */
function busyOf({ arms }: Pick<SizesDocument, 'arms'>): Busy | null {
  const busy = arms.flatMap(({ points }) => points.flatMap(({ atLoad }) => atLoad.busyCores ?? []));
  return busy.length === 0 ? null : { min: Math.min(...busy), max: Math.max(...busy) };
}

/** Such as "0.62 to 0.97 of 1 core". */
function printBusy({ min, max }: Busy, cores: number | null): string {
  const [least, most] = [printNumber(min, 2), printNumber(max, 2)];
  const used = least === most ? least : `${least} to ${most}`;
  return `${used}${cores === null ? '' : ` of ${cores}`} ${cores === 1 ? 'core' : 'cores'}`;
}

/** `HTTP`, `HTTPS`, `HTTPS with TLS_AES_128_GCM_SHA256`. */
export function nameSizeArm({ arm, suite }: Pick<ArmFacts, 'arm' | 'suite'>): string {
  if (arm === 'http') return 'HTTP';
  return suite === null ? 'HTTPS' : `HTTPS with ${suite}`;
}
