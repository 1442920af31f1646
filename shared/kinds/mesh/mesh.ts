import { z } from 'zod';
import { type Arms, namesOf } from '../../base/arms.ts';
import { capitalized } from '../../base/cut.ts';
import { differenceOf, exactly, excludes, mapEstimate } from '../../base/estimate-arithmetic.ts';
import { describe, requestSchemas } from '../../base/option-schema.ts';
import { estimateDecimals, printAdded, printQuantity, scaleFor } from '../../base/quantity.ts';
import { negotiatedTlsSchema } from '../../base/tls-profile.ts';
import { countSchema, type Estimate, estimateSchema, nonNegativeSchema } from '../../base/units.ts';
import { estimateColumns, type HistoryView } from '../../measurement/history-view.ts';
import { documentFrame, type Headline, lifeEventSchema, seedSchema } from '../../measurement/measurement.ts';
import { addressProblem } from '../../target/address-problem.ts';
import { serverTitles } from '../../target/target-words.ts';
import { atLoadSchema, loadInWords, placementSchema } from '../comparison/at-load.ts';
import { stretch } from '../comparison/block.ts';
import { printDifferenceOf } from '../comparison/shift.ts';
import { meshOptions, meshTable } from './options.ts';

/**
 * The toll of a mesh: what a proxy in front of an application (or one on either side) costs, and how much of that is TLS. CPU
 * in µs per request at load, by process; latency of a lone request.
 */

const meshSchemaVersion = 1;

/** Straight to the application, through the proxies without TLS and with it, and straight again. */
export const meshArms = [
  { name: 'direct', letter: 'D' },
  { name: 'plain', letter: 'P' },
  { name: 'secure', letter: 'S' },
  { name: 'twin', letter: 'N', twinOf: 'direct' },
] as const satisfies Arms<string>;
export type MeshArm = (typeof meshArms)[number]['name'];
const meshArmSchema = z.enum(namesOf<MeshArm>(meshArms));

/** Programs that a request passes, from its end. */
export const meshRoles = ['application', 'proxy', 'clientProxy'] as const;
export type MeshRole = (typeof meshRoles)[number];
const meshRoleSchema = z.enum(meshRoles);

const options = requestSchemas(meshTable);

const meshRequestSchema = z.strictObject({
  kind: z.literal('mesh'),
  ...options,
  address: describe(
    meshTable.address,
    options.address.superRefine((address, context) => {
      const message = address === null ? null : problemOfAddress(address);
      if (message !== null) context.addIssue({ code: 'custom', message });
    }),
  ),
});
export type MeshRequest = z.infer<typeof meshRequestSchema>;

function problemOfAddress(address: string): string | null {
  if (/^https:/i.test(address))
    return 'proxies reach the application without TLS; give its http address, or the http port that it listens on as well';
  const { origin } = URL.parse(address) ?? { origin: address };
  return addressProblem(origin, 'http');
}

/** One arm's part of a round. */
const roundArmSchema = z.strictObject({
  transactions: countSchema,
  perS: nonNegativeSchema,
  /** CPU of each process on its way, µs. */
  cpuUs: z.partialRecord(meshRoleSchema, nonNegativeSchema),
});

/** One burst of each arm. */
const meshRoundSchema = z.strictObject({
  order: z.string().regex(/^[A-Z]{4}$/),
  ...stretch,
  arms: z.record(meshArmSchema, roundArmSchema),
});
export type MeshRound = z.infer<typeof meshRoundSchema>;

/** Comparisons: the proxies with nothing, TLS with proxies that have none, the twin with its side. */
export const meshShiftNames = ['proxy', 'tls', 'twin'] as const;
export type MeshShiftName = (typeof meshShiftNames)[number];
const meshShiftNameSchema = z.enum(meshShiftNames);

/** A part that is stored when it ends: one start of everything. */
const meshLaunchSchema = z.strictObject({
  launch: countSchema,
  rounds: z.array(meshRoundSchema),
  /** One user, from arm to arm. */
  lone: z.strictObject({
    /** A request on each arm. */
    groups: countSchema,
    medianUs: z.record(meshArmSchema, nonNegativeSchema),
    /** Median of the differences within a group. */
    shiftUs: z.record(meshShiftNameSchema, z.number()),
  }),
  /** CPU of all processes over the rounds: by the CPU clock, and by the kernel’s ticks of 10 ms. */
  cpuCheck: z.strictObject({ clockUs: nonNegativeSchema, tickUs: nonNegativeSchema, processes: countSchema }),
});
export type MeshLaunch = z.infer<typeof meshLaunchSchema>;

const startedProgramSchema = z.strictObject({
  title: z.string(),
  /** Null for one that was running already. */
  version: z.string().nullable(),
  tlsLibrary: z.string().nullable(),
});

const meshFactsSchema = z.strictObject({
  seed: seedSchema,
  /** Null until it has been found. */
  load: atLoadSchema.nullable(),
  placement: placementSchema.nullable(),
  application: startedProgramSchema,
  proxy: startedProgramSchema,
  /** Between client and proxy, or between the two proxies; null until a connection stands. */
  negotiated: negotiatedTlsSchema.nullable(),
  /** The configuration of each proxy, whole. */
  files: z.array(
    z.strictObject({ arm: meshArmSchema, role: meshRoleSchema, name: z.string(), text: z.string() }),
  ),
  warnings: z.array(z.string()),
});
export type MeshFacts = z.infer<typeof meshFactsSchema>;

/** In µs a request, and in percent of what a direct one takes. */
const meshShiftSchema = z.strictObject({ us: estimateSchema, percent: estimateSchema });
export type MeshShift = z.infer<typeof meshShiftSchema>;

const meshArmResultSchema = z.strictObject({
  arm: meshArmSchema,
  /** At load. */
  requests: countSchema,
  /** CPU of a request at load, of all processes and of each; null with fewer than three launches. */
  cpuUs: estimateSchema.nullable(),
  parts: z.array(z.strictObject({ role: meshRoleSchema, cpuUs: estimateSchema })),
  /** Requests per second; null where all arms kept to one rate. */
  perS: estimateSchema.nullable(),
  /** Median of a lone request, µs. */
  latencyUs: estimateSchema.nullable(),
});
export type MeshArmResult = z.infer<typeof meshArmResultSchema>;

const meshFindings = {
  arms: z.array(meshArmResultSchema),
  /** Null with fewer than three launches. */
  cpu: z.record(meshShiftNameSchema, meshShiftSchema.nullable()),
  latency: z.record(meshShiftNameSchema, meshShiftSchema.nullable()),
};

/** Document at the permalink. */
export const meshDocumentSchema = z.strictObject({
  schemaVersion: z.literal(meshSchemaVersion),
  ...documentFrame,
  kind: z.literal('mesh'),
  request: meshRequestSchema,
  ...meshFactsSchema.shape,
  ...meshFindings,
  launches: z.array(meshLaunchSchema),
});
export type MeshDocument = z.infer<typeof meshDocumentSchema>;
export type MeshFindings = Pick<MeshDocument, keyof typeof meshFindings>;

/** Findings in sentences: the same on the page, in Markdown, and in a terminal. */

type Asked = Pick<MeshRequest, 'proxy' | 'clientProxy' | 'mutual' | 'address' | 'application'>;

/** `HAProxy`, `Two Envoy proxies with mutual TLS`. */
export function proxiesInWords({
  proxy,
  clientProxy,
  mutual,
}: Omit<Asked, 'address' | 'application'>): string {
  const name = meshTable.proxy.labels[proxy];
  return `${clientProxy ? `Two ${name} proxies` : name}${mutual ? ' with mutual TLS' : ''}`;
}

export function applicationName({ address, application }: Pick<Asked, 'address' | 'application'>): string {
  return address ?? serverTitles[application];
}

export function armTitle(
  arm: MeshArm,
  { mutual, clientProxy }: Pick<Asked, 'mutual' | 'clientProxy'>,
): string {
  const proxy = clientProxy ? 'Proxies' : 'Proxy';
  const titles: Record<MeshArm, string> = {
    direct: 'Direct',
    plain: `${proxy} without TLS`,
    secure: `${proxy} with ${mutual ? 'mutual TLS' : 'TLS'}`,
    twin: 'Direct again',
  };
  return titles[arm];
}

export const roleTitles: Record<MeshRole, string> = {
  application: 'Application',
  proxy: 'Proxy',
  clientProxy: 'Client’s proxy',
};

type Found = Pick<MeshDocument, 'arms' | 'cpu' | 'latency' | 'load' | 'request'>;

/** CPU of proxies with TLS beside a direct request. Null until there are intervals. */
export function meshHeadline({ arms, cpu, load, request }: Found): Headline | null {
  const { proxy, tls } = cpu;
  const direct = arms.find(({ arm }) => arm === 'direct')?.cpuUs ?? null;
  if (proxy === null || tls === null || direct === null) return null;
  // They share the path without TLS, so their sum varies less than this interval allows for.
  const delta = sumOf(proxy.us, tls.us);
  const printed = printDifferenceOf({
    ...{ unit: 'us', baseline: exactly(direct.center), delta, outcome: 'overhead' },
    comparison: exactly(direct.center + delta.center),
    ratio: mapEstimate(delta, (us) => 1 + us / direct.center),
  });
  if (printed === null) return null;
  const { clientProxy, mutual } = request;
  const what = mutual ? 'mutual TLS' : 'TLS';
  const who = `${proxiesInWords({ ...request, mutual: false })} with ${what}`;
  const amount = excludes(delta, 0)
    ? `${printed.amount} ${delta.center > 0 ? 'more' : 'less'}`
    : 'no measurable';
  return {
    title: `${who} ${clientProxy ? 'cost' : 'costs'} ${amount} CPU per request`,
    second: `${printed.change?.signed} ${loadInWords(load)} (${printed.values}); ${partOf(tls, what)}`,
  };
}

/** `70 µs of it is TLS`. */
function partOf({ us }: MeshShift, what: string): string {
  const scale = scaleFor('us', [us.center]);
  return excludes(us, 0)
    ? `${printQuantity(us.center, scale)} of it is ${what}`
    : `no measurable part of it is ${what}`;
}

/** Sum of two estimates, with the half-widths added in squares. */
function sumOf(one: Estimate, other: Estimate): Estimate {
  return differenceOf(one, { center: -other.center, lo: -other.hi, hi: -other.lo });
}

/** Findings below the headline. */
export function meshSentences({ cpu, latency, load, request }: Found): string[] {
  const { proxy, tls, twin } = cpu;
  if (proxy === null || tls === null || twin === null) return [];
  const who = request.clientProxy ? 'The proxies' : 'The proxy';
  const what = request.mutual ? 'mutual TLS' : 'TLS';
  return [
    `Measured ${loadInWords(load)}, 95 % CI. ${who}: ${printShift(proxy)}. ${capitalized(what)}: ${printShift(tls)}.`,
    ...(latency.proxy === null || latency.tls === null
      ? []
      : [
          `With one user, a request takes ${printLonger(latency.proxy.us)} longer through ${who.toLowerCase()}, and ${printLonger(latency.tls.us)} longer with ${what}.`,
        ]),
    `Control: the direct path, measured again, differs by ${printShift(twin)}.`,
  ];
}

/** Interval of a time that is certainly longer, without signs. */
function printLonger(us: Estimate): string {
  const text = printUsInterval(us);
  return us.lo > 0 ? text.replaceAll('+', '') : text;
}

/** `+41.2 to +43.0 µs, +160 to +166 %`. */
function printShift({ us, percent }: MeshShift): string {
  return `${printUsInterval(us)}, ${printPercentInterval(percent)}`;
}

export function printPercentInterval(percent: Estimate): string {
  const decimals = estimateDecimals(percent);
  return `${printAdded(percent.lo, decimals)} to ${printAdded(percent.hi, decimals)} %`;
}

/** `+24 µs (+23 to +26)`. */
export function printUsShift(us: Estimate): string {
  const decimals = Math.min(2, estimateDecimals(us));
  const [center, lo, hi] = [us.center, us.lo, us.hi].map((each) => printAdded(each, decimals));
  return `${center} µs (${lo} to ${hi})`;
}

function printUsInterval(us: Estimate): string {
  const decimals = Math.min(2, estimateDecimals(us));
  return `${printAdded(us.lo, decimals)} to ${printAdded(us.hi, decimals)} µs`;
}

/** Schemas of the kind; its command line is its table of options. */
export const mesh = {
  request: meshRequestSchema,
  facts: meshFactsSchema,
  block: meshLaunchSchema,
  document: meshDocumentSchema,
  event: lifeEventSchema,
  command: {
    options: meshOptions,
    help: 'Measures what a proxy in front of an application costs, and how much of that is TLS: direct, through the proxy, and through the proxy with TLS.',
  },
};

/** SQL view of a mesh's costs. */
export const meshHistory: HistoryView = {
  name: 'v_mesh',
  table: 'mesh_figures',
  row: 'one row for each cost of a mesh',
  columns: [
    { name: 'application', type: 'text', about: 'Server started, or its address' },
    { name: 'proxy', type: 'text', about: 'haproxy or envoy' },
    { name: 'client_proxy', type: 'boolean', about: 'Whether there was a proxy on either side' },
    { name: 'mutual_tls', type: 'boolean', about: 'Whether proxies demanded a client certificate' },
    { name: 'key', type: 'text', about: 'Key of the certificate' },
    { name: 'cost', type: 'text', about: 'proxy, tls, or twin: the control, which is the direct path again' },
    ...estimateColumns('cpu_us', 'CPU that it adds to a request at full load, µs'),
    ...estimateColumns('cpu_percent', 'The same, of a direct request'),
    ...estimateColumns('latency_us', 'Latency that it adds to a request with one user, µs'),
    ...estimateColumns('latency_percent', 'The same, of a direct request'),
  ],
};
