import { defaultTlsProfile } from '../../shared/base/tls-profile.ts';
import type { Transport } from '../../shared/base/transport.ts';
import type { CachedResource, CacheSide, CacheVisit } from '../../shared/kinds/comparison/cache-report.ts';
import { type FairnessSide, type RunDocument, runSchemaVersion } from '../../shared/kinds/comparison/run.ts';
import { runRequestSchema } from '../../shared/kinds/comparison/run-request.ts';
import { scenarioSchema } from '../../shared/scenario/scenario.ts';
import type { PreflightSide } from '../../shared/target/preflight.ts';
import { sampleAtLoad } from '../../shared/testing/sample-at-load.ts';
import { samplePlan } from './sample-plan.ts';

/** Everything of the sample run that does not come from its launches. */

const createdAt = Date.UTC(2026, 0, 15, 9, 30);

const scenario = scenarioSchema.parse({
  id: 'search',
  name: 'Search',
  description: 'Home, search form, search.',
  steps: [
    { name: 'Home', method: 'GET', path: '/' },
    { name: 'Search form', method: 'GET', path: '/search' },
    {
      name: 'Search',
      method: 'POST',
      path: '/search',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'q=radio',
    },
  ],
  pages: ['/', '/search'],
  sensitivePaths: ['/account'],
});

const tls = {
  protocol: 'TLSv1.3',
  cipher: 'TLS_AES_256_GCM_SHA384',
  group: 'X25519MLKEM768',
  key: 'EC P-256',
  alpn: 'http/1.1',
};

const percentiles = { count: 11_160, p50: 300, p90: 520, p99: 900, max: 2100 };

function preflightSide(transport: Transport, port: number, pid: number): PreflightSide {
  return {
    transport,
    origin: `${transport}://shop.localhost:${port}`,
    address: '127.0.0.1',
    checks: [
      { id: 'connect', title: 'Connection', status: 'pass', message: 'Connected in 0.3 ms.' },
      { id: 'status', title: 'Status', status: 'pass', message: 'All steps answered 200.' },
    ],
    responses: scenario.steps.map((step, place) => ({
      step: step.name,
      status: 200,
      httpVersion: '1.1',
      contentEncoding: 'identity',
      contentType: 'text/html; charset=utf-8',
      bodyBytes: 40_000 + place * 9000,
      bodySha256: 'c3ab8ff13720e8ad9047dd39466b3c8974e592c2fa383d4a3960714caef0c4f2',
      location: null,
      setsCookies: [],
      serverTiming: true,
    })),
    tls: transport === 'https' ? tls : null,
    pid,
  };
}

function fairnessSide(targetCpuPercent: FairnessSide['targetCpuPercent']): FairnessSide {
  return {
    httpVersion: '1.1',
    contentEncoding: 'identity',
    bodyBytesPerTransaction: 170_400,
    generatorCpuPercent: { lockstep: 19.8, maximum: 37.2, steady: 18.6 },
    targetCpuPercent,
  };
}

function distribution(scale: number): { count: number; points: { percentile: number; us: number }[] } {
  const ladder: [percentile: number, us: number][] = [
    [0, 700],
    [25, 1250],
    [50, 1500],
    [75, 1780],
    [90, 2140],
    [95, 2400],
    [99, 3100],
    [99.9, 4700],
    [100, 8200],
  ];
  return {
    count: 3720,
    points: ladder.map(([percentile, us]) => ({ percentile, us: Math.round(us * scale) })),
  };
}

function visit(warm: boolean): CacheVisit {
  const stored = warm ? 'cache' : 'network';
  const resource = (
    path: string,
    type: string,
    source: CachedResource['source'],
    bytes: number,
  ): CachedResource => ({
    path,
    type,
    status: 200,
    source,
    bytes: source === 'cache' ? 0 : bytes,
    contentEncoding: 'identity',
    cacheControl:
      source === 'not_stored' ? 'no-store' : type === 'document' ? 'no-cache' : 'public, max-age=3600',
    sensitive: source === 'not_stored',
  });
  const resources = [
    resource('/', 'document', 'network', 40_300),
    resource('/assets/shop.css', 'stylesheet', stored, 18_400),
    resource('/assets/shop.svg', 'image', stored, 1_700),
    resource('/account', 'document', 'not_stored', 36_000),
  ];
  const count = (source: CachedResource['source']) =>
    resources.filter((each) => each.source === source).length;
  return {
    requests: resources.length,
    fromNetwork: count('network'),
    fromCache: count('cache'),
    revalidated: count('revalidated'),
    notStored: count('not_stored'),
    bytes: resources.reduce((sum, { bytes }) => sum + bytes, 0),
    loadMs: warm ? 61.5 : 118.2,
    resources,
  };
}

function cacheSide(transport: Transport): CacheSide {
  return { transport, cold: visit(false), warm: visit(true) };
}

const { kind: _, target: __, seed: ___, ...asked } = runRequestSchema.parse({});

const phases = { connectUs: null, tlsUs: null, ttfbUs: percentiles, downloadUs: percentiles };

export const sampleSurroundings: Omit<RunDocument, 'verdict' | 'metrics' | 'launches' | 'blocks'> = {
  kind: 'comparison',
  schemaVersion: runSchemaVersion,
  id: '3fK9mQx7Lw2RtYb8NcVd1Z',
  state: 'finished',
  createdAt,
  startedAt: createdAt + 40,
  endedAt: createdAt + 66_400,
  scenario,
  revisionId: null,
  target: { kind: 'storefront' },
  asked: { ...asked, scenario: null },
  sides: {
    baseline: { transport: 'http', origin: 'http://shop.localhost:41001' },
    comparison: { transport: 'https', origin: 'https://shop.localhost:41002' },
  },
  plan: samplePlan,
  tlsProfile: defaultTlsProfile,
  problem: null,
  tls: {
    baseline: { negotiated: null, handshakes: { full: 0, resumed: 0 }, connections: 192 },
    comparison: { negotiated: tls, handshakes: { full: 192, resumed: 0 }, connections: 192 },
  },
  fairness: {
    baseline: fairnessSide({ lockstep: 38.1, maximum: 97.1, steady: 36.4 }),
    comparison: fairnessSide({ lockstep: 45.6, maximum: 98.6, steady: 44.1 }),
  },
  distributions: { baseline: distribution(1), comparison: distribution(1.19) },
  steps: scenario.steps.map(({ name }) => ({
    name,
    baseline: { latencyUs: percentiles, ...phases },
    comparison: { latencyUs: percentiles, ...phases },
  })),
  phases: { baseline: phases, comparison: phases },
  errors: [],
  cache: {
    baseline: cacheSide('http'),
    comparison: cacheSide('https'),
    findings: ['Both transports cached the same 2 resources; the sensitive page was fetched every time.'],
  },
  preflight: {
    ok: true,
    problem: null,
    sides: {
      baseline: preflightSide('http', 41_001, 4711),
      comparison: preflightSide('https', 41_002, 4712),
    },
  },
  server: null,
  placement: { generator: [1], target: [0] },
  atLoad: sampleAtLoad,
  warnings: [],
  environment: {
    platform: 'linux x64',
    kernel: '6.1.0-32-amd64',
    cpuModel: 'Example CPU @ 2.40GHz',
    cpuFlags: ['aes', 'avx2', 'sha_ni'],
    cores: 2,
    memoryBytes: 8_326_086_656,
    governor: null,
    node: 'v24.21.0',
    openssl: '3.5.8',
    product: '0.1.0',
    sharedMachine: true,
  },
  command: 'npx tls-toll compare --length quote --seed 7',
};
