import { questions } from '../kinds/comparison/questions.ts';
import { serversPresets } from '../kinds/servers/servers-presets.ts';
import type { KindName } from '../measurement/kind-names.ts';
import type { MeasurementRequestInput } from '../results/kinds.ts';
import type { ServerName } from '../target/server-options.ts';

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
  /** TLS libraries without which it says nothing, by the names that they are to have here. */
  libraries?: readonly string[];
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
  library: {
    ...usual,
    title: 'New connections to nginx with OpenSSL 3.0.8 and 3.5.0',
    request: {
      ...{ kind: 'comparison', length: 'quote' },
      target: { kind: 'managed', server: 'nginx' },
      connectionPolicy: 'connection-per-transaction',
      sides: {
        baseline: { transport: 'https', target: { library: 'openssl-3.0.8' } },
        comparison: { transport: 'https', target: { library: 'openssl-3.5.0' } },
      },
    },
    // The answer is a few percent.
    seconds: 120,
    needs: ['nginx'],
    full: true,
    libraries: ['openssl-3.0.8', 'openssl-3.5.0'],
  },
  compression: {
    ...usual,
    title: 'New connections with plain and compressed certificates, 100 ms away',
    request: {
      kind: 'comparison',
      target: { kind: 'managed', server: 'node', key: 'RSA-2048', chain: 2 },
      sides: questions['certificate-compression'].sides,
      connectionPolicy: 'connection-per-transaction',
      // The bytes of a hybrid share would be most of a small flight, which the window is to hold.
      tls: { group: 'X25519' },
      link: '100ms,iw2',
      pairUsers: 8,
    },
    seconds: 35,
  },
  tickets: {
    ...usual,
    title: 'New connections to nginx with two session tickets and none',
    request: {
      kind: 'comparison',
      target: { kind: 'managed', server: 'nginx' },
      sides: questions.tickets.sides,
      connectionPolicy: 'connection-per-transaction',
    },
    seconds: 25,
    needs: ['nginx'],
    full: true,
  },
  'record-size': {
    ...usual,
    title: '1 MB from nginx in records of 16 and 4 KiB',
    request: {
      kind: 'comparison',
      target: { kind: 'managed', server: 'nginx', documents: [1_000_000] },
      sides: questions['record-size'].sides,
    },
    seconds: 25,
    needs: ['nginx'],
    full: true,
  },
  'servers-grid': {
    ...usual,
    title: 'Malmgren’s whole grid, 72 combinations',
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

/** Who said it, when, on which machine, and in which source. `url` is null if there is no address that was checked. */

type Study = {
  title: string;
  /** Machine of the study; null where today's measurements are all that there is. */
  machine: string | null;
  source: string;
  /** Date, as in `2024-05-23`; only the year is known of the old studies. */
  date: string;
  url: string | null;
  /** One of the five that this product rebuilds, a claim of today's field, or what no source measured in pairs. */
  group: 'study' | 'field' | 'pairs';
};

export const studies = {
  'ssleay-1997': {
    title: 'SSLeay',
    machine: 'Pentium Pro, 200 MHz, Linux, SSLeay 0.8',
    source: 'Eric Young, SSLeay 0.8, figures of ssltest and speed on Linux, 1997',
    ...{ date: '1997', url: null, group: 'study' },
  },
  'webperf-1998': {
    title: 'WebPerf',
    machine: 'Pentium, 200 MHz; the client a Pentium, 100 MHz; 10 Mbit/s',
    source: 'Goldberg, Buff and Schmitt, WebPerf, New York University, 1998',
    ...{ date: '1998', url: null, group: 'study' },
  },
  'wong-2003': {
    title: 'Fast and Secured',
    machine: 'IIS on 2 × 1 GHz, SQL Server on 4 × 1.6 GHz, 100 Mbit/s',
    source: 'Edmund Wong, Fast and Secured: Performance Impact of SSL, about 2003',
    ...{ date: '2003', url: null, group: 'study' },
  },
  'apache-security-2005': {
    title: 'Apache Security',
    machine: 'Xeon, 2.8 GHz, OpenSSL 0.9',
    source: 'Ivan Ristić, Apache Security, section 4.6, 2005: figures of openssl speed',
    ...{ date: '2005', url: null, group: 'study' },
  },
  'malmgren-2011': {
    title: 'More SSL/TLS/HTTPS benchmarks',
    machine: 'Core 2 Quad Q6600, FreeBSD 8.2; the client a Core 2 Duo, 2.4 GHz; 100 Mbit/s',
    source: 'Robert Malmgren AB, More SSL/TLS/HTTPS benchmarks, 2011',
    ...{ date: '2011', url: null, group: 'study' },
  },
  'netflix-2015': {
    title: 'Netflix before kernel TLS',
    machine: 'Open Connect Appliance, 64-bit Xeon, FreeBSD, up to 40 Gbit/s',
    source: 'Mark Watson, 2014, in FreeBSD case study: Netflix',
    date: '2015-04-18',
    url: 'https://www.freebsdnews.com/2015/04/18/netflix-https-secure-video-streams/',
    group: 'field',
  },
  'istio-618-2019': {
    title: 'Istio, mutual TLS test suite',
    machine: 'A Kubernetes cluster with Envoy sidecars',
    source: 'istio/tools, pull request 618',
    date: '2019-12-09',
    url: 'https://github.com/istio/tools/pull/618',
    group: 'field',
  },
  'redis-2020': {
    title: 'Redis 6',
    machine: 'memtier_benchmark, one thread and one client, on the same machine',
    source: 'redis/redis, issue 7595',
    date: '2020-07-31',
    url: 'https://github.com/redis/redis/issues/7595',
    group: 'field',
  },
  'nginx-compression-2023': {
    title: 'nginx with certificate compression',
    machine: 'Not named with the figure',
    source: 'Sergey Kandaurov, certificate compression, nginx-devel',
    date: '2023-04-12',
    url: 'https://mailman.nginx.org/pipermail/nginx-devel/2023-April/O5R42YXIMCJKIGPTNYDSHKWFBJY73H5J.html',
    group: 'field',
  },
  'rustls-2024': {
    title: 'rustls',
    machine: 'Not named with the figure',
    source: 'Prossimo and the rustls project, performance reports of 2024 and 2025',
    date: '2024-01-04',
    url: 'https://www.memorysafety.org/blog/rustls-performance/',
    group: 'field',
  },
  'chrome-2024': {
    title: 'Chrome',
    machine: 'Chrome on desktops, in the field',
    source: 'Google, Advancing Our Amazing Bet on Asymmetric Cryptography, 2024',
    ...{ date: '2024-05', url: null, group: 'field' },
  },
  'istio-1.24': {
    title: 'Istio 1.24',
    machine: 'A mesh of 1,000 services and 2,000 pods; a sidecar with two worker threads',
    source: 'Istio documentation, Performance and Scalability, Istio 1.24',
    date: '2024-11',
    url: 'https://istio.io/latest/docs/ops/deployment/performance-and-scalability/',
    group: 'field',
  },
  'mesh-mtls-2024': {
    title: 'Service meshes and mutual TLS',
    machine: 'A Kubernetes cluster with Linkerd',
    source:
      'Bremler-Barr, Lavi, Naor, Rampal and Tavori, Performance Comparison of Service Mesh Frameworks: the MTLS Test Case, 2024',
    date: '2024-11',
    url: 'https://deepness-lab.org/publications/performance-comparison-of-service-mesh-frameworks-the-mtls-test-case/',
    group: 'field',
  },
  'dotnet-125110': {
    title: '.NET with kernel TLS',
    machine: 'Not named with the figure',
    source: 'dotnet/runtime, pull request 125110',
    date: '2026-03-03',
    url: 'https://github.com/dotnet/runtime/pull/125110',
    group: 'field',
  },
  'rustls-2026': {
    title: 'rustls report, OpenSSL 3.6.1',
    machine: 'Xeon E-2386G, one thread, the server’s side',
    source: 'rustls, Benchmarking rustls 0.23.37 vs OpenSSL 3.6.1 vs BoringSSL on x86_64',
    date: '2026-03-07',
    url: 'https://rustls.dev/perf/2026-03-07-report/',
    group: 'field',
  },
  'openssl-31444': {
    title: 'nginx with OpenSSL 3.5.6',
    machine: 'Not named with the figure',
    source: 'openssl/openssl, issue 31444',
    date: '2026-06-10',
    url: 'https://github.com/openssl/openssl/issues/31444',
    group: 'field',
  },
  'httparena-2026': {
    title: 'HttpArena',
    machine: '64 threads of load, best of three runs of 5 s',
    source: 'HttpArena, results of 2026-04-29',
    date: '2026-04-29',
    url: 'https://www.http-arena.com/docs/test-profiles/',
    group: 'field',
  },
  'pairs-2026': {
    title: 'Measured in pairs for the first time',
    machine: null,
    source: 'No earlier measurement in pairs is known',
    ...{ date: '2026-11-28', url: null, group: 'pairs' },
  },
} as const satisfies Record<string, Study>;

export type StudyName = keyof typeof studies;
export const studyNames = Object.keys(studies) as StudyName[];

export function yearOf(name: StudyName): number {
  return Number(studies[name].date.slice(0, 4));
}
