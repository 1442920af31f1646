import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Estimate, estimateSchema } from '../../shared/base/units.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import { scaled } from '../method/statistics/estimates.ts';
import type { Libraries } from '../targets/managed/tls-library.ts';
import { askLeft, type LongOptions, openBenchDirectory, openDashboard, openLedger } from './bench-options.ts';
import { printTable } from './print-table.ts';

/** The same nginx with two builds of OpenSSL, with the system's own, and with one build on both sides. */

/** Versions of the crate `openssl-src`, which contains the sources of OpenSSL, by those of OpenSSL. */
const crates = { '3.0.8': '300.0.13', '3.5.0': '300.5.0' } as const;
type Version = keyof typeof crates;

/** For every build: those of Debian 12. */
const flags = [
  ...['-g', '-O2', '-fstack-protector-strong', '-Wformat', '-Werror=format-security', '-Wdate-time'],
  ...['-fzero-call-used-regs=used-gpr', '-D_FORTIFY_SOURCE=2', '-DOPENSSL_TLS_SECURITY_LEVEL=2'],
];
const configuration = ['linux-x86_64', 'shared', 'no-tests', 'no-module', '--openssldir=/usr/lib/ssl'];
const files = ['libssl.so.3', 'libcrypto.so.3'];

const pairs = {
  versions: { baseline: 'openssl-3.0.8', comparison: 'openssl-3.5.0' },
  build: { baseline: null, comparison: 'openssl-3.0.8' },
  control: { baseline: 'openssl-3.5.0', comparison: 'openssl-3.5.0' },
} as const;

/** An answer of 1 MB in records of 16 KiB has as many as its `per`. */
const units = {
  request: { per: 1, request: {} },
  connection: { per: 1, request: { connectionPolicy: 'connection-per-transaction' } },
  record: { per: Math.ceil(1_000_000 / 16_384), request: {}, documents: [1_000_000] },
} as const;

type Cell = { pair: keyof typeof pairs; unit: keyof typeof units };

const observedSchema = z.strictObject({
  at: z.iso.datetime(),
  id: z.string().nullable(),
  /** The libraries of both sides, in their own words. */
  libraries: z.array(z.string()),
  /** µs of server CPU per transaction, and the comparison's ÷ the baseline's. */
  us: estimateSchema.nullable(),
  ratio: estimateSchema.nullable(),
  claims: z.boolean(),
  said: z.string(),
});
type Observed = z.infer<typeof observedSchema>;

const usualRounds = 2;

/**
 * `only` lists pairs and units, separated by commas. A cell is asked if it has all of these names.
 * `length` is that of the runs: within 5, 2, or 1 %.
 */
export async function compareLibraries({ runs, seed, signal, resume, only, length }: LongOptions) {
  const libraries = await buildLibraries(signal);
  const directory = openBenchDirectory('library', resume);
  const cells = cellsOf(only);
  const asked = Array.from({ length: runs ?? usualRounds }, (_, round) =>
    cells.map((cell) => ({
      cell,
      key: `${cell.pair}, ${cell.unit}, ${length}, ${round}`,
      request: { ...requestOf(cell), length, seed: seed + round },
    })),
  ).flat();
  const ledger = openLedger(join(directory, 'results.jsonl'), observedSchema);
  const server = await openDashboard(directory, libraries);
  try {
    await askLeft(asked, { url: server.url, ledger, runs: null, signal }, observe);
  } finally {
    await server.close();
  }
  const rows = cells.flatMap((cell) => {
    const seen = asked.flatMap(({ cell: other, key }) => (other === cell ? (ledger.get(key) ?? []) : []));
    return seen.length === 0 ? [] : [rowOf(cell, seen)];
  });
  return { rows, text: printRows(rows), figures: rows.map(figuresOf) };
}

function cellsOf(only: string | null): Cell[] {
  const all = (Object.keys(pairs) as Cell['pair'][]).flatMap((pair) =>
    (Object.keys(units) as Cell['unit'][]).map((unit) => ({ pair, unit })),
  );
  const wanted = only?.split(',').map((name) => name.trim()) ?? [];
  const cells = all.filter(({ pair, unit }) => wanted.every((name) => name === pair || name === unit));
  if (cells.length > 0) return cells;
  throw new Error(
    `No pair or unit is called ${only}: ${[...Object.keys(pairs), ...Object.keys(units)].join(', ')}.`,
  );
}

function requestOf({ pair, unit }: Cell): RunRequestInput {
  const { request, ...target } = units[unit];
  const documents = 'documents' in target ? { documents: [...target.documents] } : {};
  const side = (library: string | null) => ({ transport: 'https' as const, target: { library } });
  return {
    target: { kind: 'managed', server: 'nginx', ...documents },
    sides: { baseline: side(pairs[pair].baseline), comparison: side(pairs[pair].comparison) },
    // The control has no sides that differ, which would ask for these.
    tls: { group: 'X25519', cipher: 'TLS_AES_256_GCM_SHA384' },
    ...request,
  };
}

function observe(document: RunDocument | null, { said }: { said: string }): Observed {
  const cpu = document?.metrics.find(({ id }) => id === 'cpu_at_load');
  const servers = [document?.baselineServer ?? document?.server, document?.server];
  return {
    at: new Date().toISOString(),
    id: document?.id ?? null,
    libraries: servers.map((server) => server?.tlsLibrary ?? 'unknown'),
    ...{ us: cpu?.delta ?? null, ratio: cpu?.ratio ?? null, claims: cpu?.outcome === 'overhead', said },
  };
}

type Row = Cell & {
  libraries: string;
  /** Runs in their order, as far as they have figures. */
  asked: { id: string; at: string; µs: Estimate; '%': Estimate; claims: boolean }[];
  /** Runs without figures. */
  lost: number;
  /** Whether each interval contains the other's estimate; null for a single run. */
  agree: boolean | null;
};

function rowOf({ pair, unit }: Cell, seen: readonly Observed[]): Row {
  const asked = seen.flatMap(({ id, at, us, ratio, claims }) => {
    if (us === null || ratio === null) return [];
    const percent = (value: number) => 100 * (value - 1);
    const share = { center: percent(ratio.center), lo: percent(ratio.lo), hi: percent(ratio.hi) };
    return [{ id: id ?? '', at, µs: scaled(us, 1 / units[unit].per), '%': share, claims }];
  });
  const contains = ({ lo, hi }: Estimate, { center }: Estimate) => lo <= center && center <= hi;
  const agree =
    asked.length < 2 ? null : asked.every((one) => asked.every((other) => contains(one['%'], other['%'])));
  return {
    ...{ pair, unit, asked, agree, lost: seen.length - asked.length },
    libraries: [...new Set(seen.flatMap(({ libraries }) => libraries))].join(' → '),
  };
}

/** Figures of the first run, and of the same asked again. */
function figuresOf({ pair, unit, asked: [first, again] }: Row) {
  const of = (run: Row['asked'][number] | undefined) => run && { µs: run.µs, '%': run['%'] };
  return { pair, unit, first: of(first), again: of(again) };
}

function printRows(rows: readonly Row[]): string {
  const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toPrecision(3)}`;
  const print = ({ center, lo, hi }: Estimate, unit: string) =>
    `${signed(center)} ${unit} (${signed(lo)} to ${signed(hi)})`;
  return printTable(
    ['pair', 'per', 'libraries', 'difference in server CPU at load', '', 'agree', 'permalink'],
    rows.flatMap(({ pair, unit, libraries, asked, agree, lost }) => [
      ...asked.map((run) => [
        ...[pair, unit, libraries, print(run.µs, 'µs'), print(run['%'], '%')],
        ...[
          agree === null ? '' : agree ? 'yes' : 'no',
          `/r/${run.id}${run.claims ? ', claims a difference' : ''}`,
        ],
      ]),
      ...(lost === 0 ? [] : [[pair, unit, libraries, `${lost} without a figure`, '', '', '']]),
    ]),
  );
}

/** Both versions, by the names that requests have for them. */
export async function buildLibraries(signal: AbortSignal): Promise<Libraries> {
  const libraries: Record<string, string> = {};
  for (const version of Object.keys(crates) as Version[]) {
    libraries[`openssl-${version}`] = await buildOnce(version, signal);
  }
  return libraries;
}

/** Directory of a build of OpenSSL, which is made once on a machine: about 4 minutes of one core. */
async function buildOnce(version: Version, signal: AbortSignal): Promise<string> {
  const cache = cacheDirectory();
  const built = join(cache, version);
  if (existsSync(built)) return built;
  process.stderr.write(`Building OpenSSL ${version} into ${built} …\n`);
  const work = mkdtempSync(join(tmpdir(), 'tls-toll-openssl-'));
  try {
    mkdirSync(join(work, 'src'));
    writeFileSync(join(work, 'src', 'lib.rs'), '');
    const dependency = `[dependencies]\nopenssl-src = "=${crates[version]}"\n`;
    writeFileSync(join(work, 'Cargo.toml'), `[package]\nname = "sources"\nversion = "0.0.0"\n${dependency}`);
    await run('cargo', ['vendor', '--quiet'], work, signal);
    const sources = join(work, 'vendor', 'openssl-src', 'openssl');
    await run('./Configure', [...configuration, ...flags], sources, signal);
    // Without the static libraries, which would compile everything twice.
    await run('make', ['build_generated'], sources, signal);
    await run('nice', ['-n', '15', 'make', '-j2', ...files], sources, signal);
    // Under another name until it is whole.
    const place = `${built}.${process.pid}`;
    mkdirSync(place, { recursive: true, mode: 0o755 });
    for (const file of files) copyFileSync(join(sources, file), join(place, file));
    renameSync(place, built);
    return built;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The cache of this machine, where the user of the servers can read it too. */
function cacheDirectory(): string {
  const { XDG_CACHE_HOME, HOME = '' } = process.env;
  const cache = process.getuid?.() === 0 ? '/var/cache' : (XDG_CACHE_HOME ?? join(HOME, '.cache'));
  return join(cache, 'tls-toll', 'openssl');
}

async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  // In a group of its own: make leaves the makes below it running.
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const stop = () => child.pid !== undefined && process.kill(-child.pid);
  signal.addEventListener('abort', stop);
  let said = '';
  child.stderr.on('data', (part) => {
    said = `${said}${part}`.slice(-600);
  });
  const [code] = await once(child, 'close');
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (code !== 0) throw new Error(`${program} ${args[0]} failed: ${said.trim()}`);
}
