import { capitalized } from '../../base/cut.ts';
import { problem } from '../../base/problem.ts';
import { printNumber } from '../../base/quantity.ts';
import {
  type CellSettings,
  type FactorLevels,
  type FactorName,
  type FactorPlan,
  factorNames,
  mostCells,
  type ServersCell,
} from './servers-result.ts';

/**
 * The cells of a plan in its order, each once: two that ask for the same are one. Throws invalid_request for more than
 * 5,000.
 */
export function expandPlan(plan: FactorPlan): ServersCell[] {
  demandFew(plan);
  const unlike = new Map<string, CellSettings>();
  for (const settings of settingsOf(plan).map(withoutIdleFactors)) {
    const id = cellId(settings);
    if (!unlike.has(id)) unlike.set(id, settings);
  }
  return [...unlike].map(([id, settings], index) => ({ index, id, settings }));
}

function settingsOf(plan: FactorPlan): CellSettings[] {
  if (plan.shape === 'cells') return plan.cells;
  const { base, levels } = plan;
  if (plan.shape === 'grid') {
    return factorNames.reduce<CellSettings[]>(
      (cells, factor) => cells.flatMap((cell) => variants(cell, levels, factor)),
      [base],
    );
  }
  return [base, ...factorNames.flatMap((factor) => variants(base, levels, factor))];
}

function variants(cell: CellSettings, levels: FactorLevels, factor: FactorName): CellSettings[] {
  return levels[factor]?.map((level) => ({ ...cell, [factor]: level })) ?? [cell];
}

/** Connections that stay open are never new, so none could resume a session. */
function withoutIdleFactors(settings: CellSettings): CellSettings {
  return settings.keepAlive ? { ...settings, resumption: false } : settings;
}

/** Counted before they are made: a plan may explode. */
function demandFew(plan: FactorPlan): void {
  const counts = plan.shape === 'cells' ? [] : factorNames.map((factor) => plan.levels[factor]?.length ?? 1);
  const count =
    plan.shape === 'cells'
      ? plan.cells.length
      : plan.shape === 'grid'
        ? counts.reduce((product, levels) => product * levels, 1)
        : 1 + counts.reduce((sum, levels) => sum + levels, 0);
  if (count <= mostCells) return;
  const message = `the plan has ${printNumber(count, 0)} combinations, more than ${printNumber(mostCells, 0)}`;
  throw problem('invalid_request', {
    detail: `${capitalized(message)}. Leave a factor out, or measure one factor at a time.`,
    errors: [{ field: 'plan', message }],
  });
}

/** The levels of a cell, in one word: no two cells share it. */
function cellId({
  server,
  protocol,
  cipher,
  key,
  keepAlive,
  resumption,
  clientCertificates,
  kTls,
  concurrency,
  document,
}: CellSettings): string {
  return [
    server,
    protocol === 'TLSv1.3' ? 'tls13' : 'tls12',
    plain(cipher ?? 'any'),
    plain(key),
    keepAlive ? 'keepalive' : resumption ? 'resumed' : 'full',
    ...(clientCertificates ? ['mtls'] : []),
    ...(kTls ? ['ktls'] : []),
    `c${concurrency}`,
    document,
  ].join('-');
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('-', '');
}

const thirteen = {
  'AES-128-GCM': 'TLS_AES_128_GCM_SHA256',
  'AES-256-GCM': 'TLS_AES_256_GCM_SHA384',
  'CHACHA20-POLY1305': 'TLS_CHACHA20_POLY1305_SHA256',
};

const twelve = {
  'AES-128-GCM': 'AES128-GCM-SHA256',
  'AES-256-GCM': 'AES256-GCM-SHA384',
  'CHACHA20-POLY1305': 'CHACHA20-POLY1305',
};

/** The suite that a cell’s client offers, in OpenSSL’s name; null for the library’s choice. */
export function cellSuite({
  protocol,
  cipher,
  key,
}: Pick<CellSettings, 'protocol' | 'cipher' | 'key'>): string | null {
  if (cipher === null) return null;
  if (protocol === 'TLSv1.3') return thirteen[cipher];
  return `ECDHE-${key.startsWith('P-') ? 'ECDSA' : 'RSA'}-${twelve[cipher]}`;
}
