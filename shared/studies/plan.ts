import { serversPresets } from '../kinds/servers/servers-presets.ts';
import type { KindName } from '../measurement/kind-names.ts';
import type { MeasurementRequestInput } from '../measurement/kinds.ts';
import type { ServerName } from '../target/server-names.ts';

/**
 * The measurements that answer the claims, each once, in the order in which they are made. They are ordinary measurements: whoever asks
 * for the same measures for the studies as well.
 */
export type StudyMeasurement = {
  title: string;
  request: MeasurementRequestInput & { kind: KindName };
  /** On a quiet machine of two cores. */
  seconds: number;
  /** Servers without which it says nothing. */
  needs: readonly ServerName[];
  /** Only where everything is asked for. */
  full: boolean;
  /** Whether a result of it comes with the program. */
  isShipped: boolean;
};

const usual = { needs: [], full: false, isShipped: true } as const;

const grid = serversPresets['malmgren-2011'];

/** New connections to Node on both sides, over a round trip of 25 ms; eight users, as each mostly waits. */
const newConnectionsFarAway = {
  kind: 'comparison',
  target: { kind: 'managed', server: 'node' },
  connectionPolicy: 'connection-per-request',
  link: '25ms',
  pairUsers: 8,
} as const;

const studyPlan = {
  storefront: {
    ...usual,
    title: 'The storefront, HTTP and HTTPS, length quote',
    request: { kind: 'comparison', length: 'quote' },
    seconds: 118,
  },
  visits: {
    ...usual,
    title: 'Visits of a browser to the storefront',
    request: { kind: 'visits', blocks: 6 },
    seconds: 90,
  },
  sizes: {
    ...usual,
    title: '24 document sizes on nginx',
    request: { kind: 'sizes' },
    seconds: 90,
    needs: ['nginx'],
  },
  speed: {
    ...usual,
    title: 'The speed table',
    request: { kind: 'speed' },
    seconds: 155,
  },
  ssltest: {
    ...usual,
    title: 'The handshakes of 1997',
    request: { kind: 'handshakes', grid: 'classic' },
    seconds: 70,
  },
  handshakes: {
    ...usual,
    title: 'Handshakes of today, ECDSA and RSA, full and resumed',
    request: {
      kind: 'handshakes',
      grid: {
        ciphers: ['TLS_AES_128_GCM_SHA256'],
        keys: ['P-256', 'RSA-2048'],
        groups: ['X25519'],
      },
    },
    seconds: 8,
  },
  servers: {
    ...usual,
    title: 'Malmgren’s factors, one at a time',
    request: {
      kind: 'servers',
      plan: {
        shape: 'each',
        base: { cipher: 'AES-256-GCM', key: 'RSA-2048', keepAlive: false, concurrency: 320 },
        levels: grid.levels,
      },
    },
    seconds: 115,
    needs: ['nginx'],
  },
  distance: {
    ...usual,
    title: 'New connections over four distances',
    request: { kind: 'distance' },
    seconds: 60,
  },
  mesh: {
    ...usual,
    title: 'Two HAProxy sidecars with mutual TLS',
    request: { kind: 'mesh', clientProxy: true, mutual: true },
    seconds: 45,
    needs: ['haproxy', 'nginx'],
  },
  'mesh-envoy': {
    ...usual,
    title: 'Two Envoy sidecars with mutual TLS',
    request: { kind: 'mesh', proxy: 'envoy', clientProxy: true, mutual: true, bytes: 1000 },
    seconds: 45,
    needs: ['envoy', 'nginx'],
    isShipped: false,
  },
  'ml-kem': {
    ...usual,
    title: 'New connections with X25519 and X25519MLKEM768, 25 ms away',
    request: {
      ...newConnectionsFarAway,
      sides: {
        baseline: { transport: 'https', tls: { group: 'X25519' } },
        comparison: { transport: 'https', tls: { group: 'X25519MLKEM768' } },
      },
    },
    seconds: 25,
  },
  'ml-dsa': {
    ...usual,
    title: 'New connections with P-256 and ML-DSA-65 certificates, 25 ms away',
    request: {
      ...newConnectionsFarAway,
      sides: {
        baseline: { transport: 'https', target: { key: 'P-256' } },
        comparison: { transport: 'https', target: { key: 'ML-DSA-65' } },
      },
    },
    seconds: 25,
  },
  'servers-grid': {
    ...usual,
    title: 'Malmgren’s whole grid, 72 cells',
    request: {
      kind: 'servers',
      plan: grid,
    },
    seconds: 780,
    needs: ['nginx'],
    full: true,
    isShipped: false,
  },
} as const satisfies Record<string, StudyMeasurement>;

export type StudyMeasurementName = keyof typeof studyPlan;
export const studyMeasurementNames = Object.keys(studyPlan) as StudyMeasurementName[];

/** Without the literal types. */
export function studyMeasurement(name: StudyMeasurementName): StudyMeasurement {
  return studyPlan[name];
}
