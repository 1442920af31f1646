import { z } from 'zod';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { type Estimate, estimateSchema } from '../../../shared/kinds/comparison/comparison.ts';
import { handshakesDocumentSchema } from '../../../shared/kinds/handshakes/handshakes.ts';
import { speedDocumentSchema } from '../../../shared/kinds/speed/speed.ts';
import { connectTo } from '../../edge/commands/api-client.ts';
import type { SideSeen } from './observe.ts';

/**
 * What a question should come to, known without a run of it: of Node, the server's end of the lab's handshakes; of a server that links
 * the system's OpenSSL, the primitives that differ, by `openssl speed` of that library. Go and BoringSSL have a direction only.
 */
export const referenceSchema = z.strictObject({
  /** CPU of the server's end, µs, by `version/group/key/resumption`. */
  lab: z.record(z.string(), estimateSchema),
  /** µs of a call, by `primitive/operation`. */
  openssl: z.record(z.string(), z.number()),
});
export type Reference = z.infer<typeof referenceSchema>;

export type Expected =
  | { by: 'lab' | 'openssl speed'; us: Estimate }
  | { by: 'direction'; sign: 1 | -1 }
  | null;

export async function measureReference(url: string): Promise<Reference> {
  const lab = await measured(url, handshakesDocumentSchema, {
    kind: 'handshakes',
    grid: {
      versions: ['TLSv1.3', 'TLSv1.2'],
      keys: ['P-256', 'RSA-2048'],
      groups: ['X25519', 'X25519MLKEM768'],
      resumption: ['full', 'resumed'],
    },
  });
  const speed = await measured(url, speedDocumentSchema, {
    kind: 'speed',
    names: ['RSA-2048', 'ECDSA-P-256', 'X25519', 'ML-KEM-768'],
  });
  return {
    lab: Object.fromEntries(
      lab.cells.flatMap((result) => {
        if (result.status !== 'measured' || result.ends === null) return [];
        const { version, group, key, resumption } = result.cell;
        return [[`${version}/${group}/${key}/${resumption}`, result.ends.serverCpuUs]];
      }),
    ),
    openssl: Object.fromEntries(
      speed.rows.flatMap(({ primitive, operation, openssl }) =>
        openssl.status === 'measured'
          ? [[`${primitive}/${operation}`, 1e6 / openssl.operationsPerS.center]]
          : [],
      ),
    ),
  };
}

async function measured<Document>(url: string, schema: z.ZodType<Document>, body: object): Promise<Document> {
  const api = connectTo({ url, key: null });
  const created = await api.call(measurementEndpoints.createMeasurement, { body: body as never });
  for await (const event of api.events(created.id)) if (event.type === 'end') break;
  return schema.parse(JSON.parse(await api.readDocument(created.url)));
}

/**
 * @param library of the server, such as `OpenSSL 3.0.19`
 * @param linked that of `openssl speed`
 */
export function expectedOf(
  [baseline, comparison]: readonly [SideSeen, SideSeen],
  reference: Reference,
  { library, own }: { library: string | null; own: boolean },
): Expected {
  if (own) {
    const [before, after] = [baseline, comparison].map((side) => reference.lab[cellOf(side)]);
    if (before !== undefined && after !== undefined && before !== after) {
      const us = { center: after.center - before.center, lo: after.lo - before.hi, hi: after.hi - before.lo };
      return { by: 'lab', us };
    }
  }
  const primitives = differenceOf(baseline, comparison, reference.openssl);
  if (primitives === null) return null;
  const { us, known } = primitives;
  if (library === null || !library.startsWith('OpenSSL') || !known || own) {
    return us === 0 ? null : { by: 'direction', sign: us > 0 ? 1 : -1 };
  }
  return { by: 'openssl speed', us: { center: us, lo: us, hi: us } };
}

function cellOf({ version, group, key, resumed }: SideSeen): string {
  return `${version}/${group}/${key}/${resumed ? 'resumed' : 'full'}`;
}

/** Null where no primitive of the server differs. Post-quantum shares have a direction only, as no `openssl speed` of 3.0 knows them. */
function differenceOf(
  baseline: SideSeen,
  comparison: SideSeen,
  openssl: Reference['openssl'],
): { us: number; known: boolean } | null {
  const [before, after] = [baseline, comparison].map((side) => serverUs(side, openssl));
  const isSame = JSON.stringify(workOf(baseline)) === JSON.stringify(workOf(comparison));
  if (isSame || before === undefined || after === undefined) return null;
  const isHybrid = [baseline, comparison].some(({ group }) => group?.includes('MLKEM'));
  return { us: after - before, known: !isHybrid || baseline.group === comparison.group };
}

/** Calls of the server in a handshake: it signs in a full one, and verifies a client's signature and its certificate. */
function workOf({ key, group, resumed, clientCertificates }: SideSeen): string[] {
  return [
    ...(resumed ? [] : [`${key === 'RSA-2048' ? 'RSA-2048' : 'ECDSA-P-256'}/sign`]),
    ...(group?.includes('MLKEM') ? ['ML-KEM-768/encapsulate'] : []),
    ...(clientCertificates && !resumed ? ['ECDSA-P-256/verify', 'ECDSA-P-256/verify'] : []),
  ];
}

/** About what encapsulating takes where it is not measured: enough for a direction. */
const unknownUs = 20;

function serverUs(side: SideSeen, openssl: Reference['openssl']): number {
  return workOf(side).reduce((sum, call) => sum + (openssl[call] ?? unknownUs), 0);
}
