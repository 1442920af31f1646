import type { HandshakeCell } from '../../shared/kinds/handshakes/handshakes.ts';
import { cellOf } from '../kinds/handshakes/plan/expand-axes.ts';
import type { Figure } from './figure.ts';
import { measureEngineCost } from './handshakes/engine-cost.ts';
import { measureMemory } from './handshakes/memory.ts';
import { timeOpenssl } from './handshakes/openssl-time.ts';

/** What the lab adds to the handshakes it measures, the same handshakes by `openssl s_time`, and memory over many. */
export async function measureLab(): Promise<Figure[]> {
  return [...(await measureEngineCost(cells)), ...(await timeOpenssl(cells)), ...(await measureMemory())];
}

const usual = { key: 'P-256', group: 'X25519', bytes: 1 } as const;
const cells: HandshakeCell[] = (['full', 'resumed'] as const).flatMap((resumption) => [
  cellOf({ ...usual, version: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', resumption }),
  cellOf({ ...usual, version: 'TLSv1.2', cipher: 'ECDHE-ECDSA-AES128-GCM-SHA256', resumption }),
]);
