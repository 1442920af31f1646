import { groupNames, keyNames } from '../../../shared/base/cipher-suites.ts';
import { excludes } from '../../../shared/base/estimate-arithmetic.ts';
import { type ProblemError, problem } from '../../../shared/base/problem.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { isEncrypted } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import { metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type {
  Explanation,
  Predicted,
  SetupDifference,
} from '../../../shared/kinds/comparison/result-changes.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import type { Slot } from '../../../shared/kinds/comparison/slot.ts';
import {
  type ExplainDocument,
  type ExplainRequest,
  explainRequestSchema,
} from '../../../shared/kinds/explain/explain.ts';
import type { HandshakesDocument } from '../../../shared/kinds/handshakes/handshakes.ts';
import { printUsInterval, whyNotExplained } from '../../../shared/words/explain-sentence.ts';
import { negotiatedInFull } from '../../../shared/words/negotiated-words.ts';
import { serversOf } from '../../../shared/words/side-words.ts';
import { sameName } from '../../base/text/known-name.ts';
import { secretsOf } from '../../intake/scenario/secrets.ts';
import { costsOfGrid } from '../../method/grid-costs.ts';
import { scaled, sum } from '../../method/statistics/estimates.ts';
import { soundBlocksOf } from './compared-metric.ts';
import { each } from './setup-differences.ts';

/** From a run to the explanation of its difference in CPU at load, and back. */

/** The most that fit into half a minute. */
const launches = 4;

/** The same sides of the same target at the same load. Throws not_explainable, with the reason. */
export function explainRequestOf(run: RunDocument): ExplainRequest {
  const { id, target, asked, plan, scenario, atLoad } = run;
  if (deltaOf(run) === null || atLoad === undefined) {
    throw refusal('The run did not measure a difference in server CPU at full load.');
  }
  const why = whyNotExplained(run);
  if (why !== null) throw refusal(why);
  if (secretsOf(scenario).length > 0) {
    throw refusal(
      'The scenario of the run has secrets, which are not stored. Explain a run without secrets.',
    );
  }
  const { connectionPolicy, requestsPerConnection, generators, thinkTimeScale } = plan;
  return explainRequestSchema.parse({
    ...{ kind: 'explain', launches },
    run: {
      ...{ id, target, scenario, sides: asked.sides, tls: asked.tls, load: atLoad },
      ...{ connectionPolicy, requestsPerConnection, generators, thinkTimeScale },
    },
  });
}

/** Throws not_explainable where the one does not explain the other. */
export function explanationOf(
  run: RunDocument,
  explain: ExplainDocument,
  lab: Predicted | null,
): Explanation {
  const delta = deltaOf(run);
  if (delta === null) throw refusal('The run did not measure a difference in server CPU at full load.');
  if (explain.request.run?.id !== run.id) throw refusal('That explanation is not of this run.');
  const { delta: explained } = explain;
  const gap = explained === null ? null : sum([explained, scaled(delta, -1)]);
  const agrees = gap && !excludes(gap, 0);
  return {
    ...{ run: run.id, explain: explain.id, delta, explained, agrees },
    sentence: sentenceOf(delta, explained, gap),
    changes: changedSince(run, explain),
    lab,
  };
}

/** The run’s difference and what the groups add up to. */
function sentenceOf(delta: Estimate, explained: Estimate | null, gap: Estimate | null): string {
  const measured = `The run measured ${printUsInterval(delta)} (95 % CI)`;
  if (explained === null || gap === null) return `${measured}.`;
  const both = `${measured}, and the groups add up to ${printUsInterval(explained)}`;
  if (!excludes(gap, 0)) return `${both}. They agree within both intervals.`;
  const by = printNumber(Math.abs(gap.center), 1);
  const [least, most] = [gap.lo, gap.hi].map(Math.abs).sort((one, other) => one - other) as [number, number];
  const interval = `${printNumber(least, 1)} to ${printNumber(most, 1)}`;
  return `${both}. They do not agree: the groups are ${by} µs (${interval}) ${gap.center < 0 ? 'short of' : 'above'} the run.`;
}

function deltaOf({ metrics }: RunDocument): Estimate | null {
  return metrics.find(({ id }) => id === 'cpu_at_load')?.delta ?? null;
}

function refusal(detail: string): ProblemError {
  return problem('not_explainable', detail);
}

/**
 * Lab cost of a transaction's handshakes and bytes, with the TLS that the run negotiated. Null if TLS is not the only difference
 * between the sides, or if the grid was measured elsewhere or lacks a piece.
 */
export function predictCost(run: RunDocument, lab: HandshakesDocument): Predicted | null {
  const { negotiated } = run.tls.comparison;
  const added = !isEncrypted(run.sides.baseline.transport) && isEncrypted(run.sides.comparison.transport);
  if (!added || negotiated === null || !isSameMachine(run, lab)) return null;
  const version = negotiated.protocol === 'TLSv1.2' ? 'TLSv1.2' : 'TLSv1.3';
  const costs = costsOfGrid(lab, version);
  const key = negotiated.key === null ? undefined : sameName(negotiated.key.replace(/^EC /, ''), keyNames);
  const group = negotiated.group === null ? undefined : sameName(negotiated.group, groupNames);
  const { full, resumed, bytes } = needsOf(run);
  const pieces: Piece[] = [
    {
      count: full,
      unit: 'full handshakes',
      us: key && group ? costs.full(key, group) : undefined,
    },
    { count: resumed, unit: 'resumed handshakes', us: group ? costs.resumed(group) : undefined },
    { count: bytes, unit: 'bytes', us: /GCM/.test(negotiated.cipher) ? costs.byte() : undefined },
  ].filter(({ count }) => count > 0);
  const parts = pieces.flatMap(({ count, us }) => (us == null ? [] : [scaled(us, count)]));
  if (pieces.length === 0 || parts.length < pieces.length) return null;
  return { handshakes: lab.id, us: sum(parts), formula: pieces.map(formulaOf).join(' + ') };
}

type Piece = { count: number; unit: string; us: Estimate | null | undefined };

function formulaOf({ count, unit, us }: Piece): string {
  const one = us?.center ?? 0;
  const price = unit === 'bytes' ? `${printNumber(1000 * one, 2)} ns` : `${printNumber(one, 0)} µs`;
  return `${printNumber(count, count >= 100 ? 0 : 3)} ${unit} × ${price}`;
}

function isSameMachine({ environment: run }: RunDocument, { environment: lab }: HandshakesDocument): boolean {
  return run.cpuModel === lab.cpuModel && run.cores === lab.cores && run.openssl === lab.openssl;
}

/** Handshakes and bytes per transaction, over the blocks at load, because CPU is read from those. */
function needsOf({ blocks }: RunDocument) {
  const slots = soundBlocksOf(metricOf('cpu_at_load'), blocks).flatMap((block) =>
    block.slots.filter(({ arm }) => arm === 'comparison'),
  );
  const total = (read: (load: Slot['load']) => number) =>
    slots.reduce((sum, { load }) => sum + read(load), 0);
  const transactions = Math.max(
    1,
    total(({ succeeded }) => succeeded),
  );
  return {
    full: total(({ handshakesFull }) => handshakesFull) / transactions,
    resumed: total(({ handshakesResumed }) => handshakesResumed) / transactions,
    bytes: total(({ wireBytesRead, wireBytesWritten }) => wireBytesRead + wireBytesWritten) / transactions,
  };
}

/** Differences in the target and its machine since the run. Skips facts that one of them lacks. */
export function changedSince(run: RunDocument, explain: ExplainDocument): SetupDifference[] {
  const facts: Row[] = [
    ...serverFacts(run, explain),
    ['Negotiated TLS', negotiatedOf(run.tls.comparison.negotiated), negotiatedOf(explain.negotiated)],
    ...machineFacts(run, explain),
  ];
  return facts.flatMap(([name, from, to]) =>
    from === null || to === null || from === to ? [] : [{ name, from, to }],
  );
}

type Server = ExplainDocument['server'];
type Row = [name: string, from: string | null, to: string | null];

function serverFacts(run: RunDocument, explain: ExplainDocument): Row[] {
  const [before, now] = [serversOf<Server>(run), serversOf(explain)];
  const versions = (servers: readonly Server[]) =>
    each(servers.flatMap(({ title, version }) => (version === null ? [] : `${title} ${version}`))) || null;
  const libraries = (servers: readonly Server[]) =>
    each(servers.flatMap(({ tlsLibrary }) => tlsLibrary ?? [])) || null;
  return [
    ['Server', versions(before), versions(now)],
    ['TLS library', libraries(before), libraries(now)],
    ...configurationFacts(linesOf(before), linesOf(now)),
  ];
}

/** The first line that is another one. */
function configurationFacts(before: readonly string[], now: readonly string[]): Row[] {
  if (before.length === 0 || now.length === 0) return [];
  const at = Array.from({ length: Math.max(before.length, now.length) }).findIndex(
    (_, line) => before[line] !== now[line],
  );
  return at < 0 ? [] : [['Configuration', before[at] ?? 'no such line', now[at] ?? 'no such line']];
}

/** Lines of all files of both sides. Ports and directories are new with each launch. */
function linesOf(servers: readonly Server[]): string[] {
  const files = servers.flatMap(({ files = [] }) => files.filter(({ arm }) => arm !== 'twin'));
  return files
    .toSorted((one, other) => one.arm.localeCompare(other.arm) || one.name.localeCompare(other.name))
    .flatMap(({ text }) => text.split('\n'))
    .map((line) =>
      line
        .replace(/[^\s"':;]+/g, (word) => word.replace(/^.*\/tls-toll-server-\w+/, '…'))
        .replace(/\b[3-6]\d{4}\b/g, '…')
        .trim(),
    );
}

function negotiatedOf(negotiated: RunDocument['tls']['comparison']['negotiated']): string | null {
  return negotiated === null ? null : negotiatedInFull(negotiated);
}

function machineFacts(run: RunDocument, explain: ExplainDocument): Row[] {
  const [before, now] = [run.environment, explain.environment];
  const machine = (environment: RunDocument['environment']) =>
    `${environment.cpuModel}, ${printNumber(environment.cores, 0)} cores`;
  return [
    [
      'Machine',
      'the one of the run',
      before.machine === now.machine ? 'the one of the run' : 'another one, or started anew',
    ],
    ['Runner', before.runner?.name ?? 'this server', now.runner?.name ?? 'this server'],
    ['CPU', machine(before), machine(now)],
    ['Kernel', before.kernel, now.kernel],
    ['TLS Toll', before.product, now.product],
  ];
}
