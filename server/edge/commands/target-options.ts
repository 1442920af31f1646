import { appendFileSync } from 'node:fs';
import { runEndpoints } from '../../../shared/api/session-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { Scheme } from '../../../shared/base/transport.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import type { Annotation } from '../../../shared/measurement/annotation.ts';
import { addressProblem, guessOther } from '../../../shared/target/address-problem.ts';
import { type PrometheusSource, prometheusSourceSchema } from '../../../shared/target/readings.ts';
import type { ManagedTargetInput, TargetInput } from '../../../shared/target/target.ts';
import { printMarkdown } from '../../base/text/report.ts';
import type { comparison } from '../../kinds/comparison/kind.ts';
import type { AnyDocument, Kind } from '../../kinds/kind.ts';
import { type Condition, parseCondition } from '../../method/gate/condition.ts';
import { annotationOf, type Judgment, judge, printJunit } from '../../method/gate/judge.ts';
import { readText } from '../settings/token-file.ts';
import { type ApiClient, demandWritable, writeText } from './api-client.ts';
import { type NamedRun, nameRun, readRun } from './diff.ts';

type TextOption =
  | (
      | 'target'
      | 'http'
      | 'https'
      | 'ca'
      | 'clientCert'
      | 'clientKey'
      | 'trust'
      | 'twin'
      | 'agent'
      | 'agentKey'
    )
  | `prometheus${'' | 'Cpu' | 'Memory' | 'TokenFile'}`;

type Options = { pid?: number | number[] | undefined } & { [Option in TextOption]?: string | undefined };

/** A server for each side is a target too. */
export function withTarget<Given extends Options & ServersOfSides>(given: Given): Given {
  const { target, baselineServer, comparisonServer } = given;
  if (target !== undefined || comparisonServer === undefined) return given;
  return { ...given, target: baselineServer };
}

type ServersOfSides = { baselineServer?: string | undefined; comparisonServer?: string | undefined };

const bothSchemes: ReadonlySet<Scheme> = new Set(['http', 'https']);

/**
 * Two addresses or a server, or the storefront without any.
 * @param ofServer options of a server, by their names
 * @param needed schemes of the sides that have no address of their own
 * Throws invalid_arguments, file_unreadable.
 */
export function targetOf(
  options: Options,
  ofServer: object = {},
  needed: ReadonlySet<Scheme> = bothSchemes,
): TargetInput {
  const { target, http, https, ca, clientCert, trust, twin, pid, agent, agentKey } = options;
  const { prometheus, prometheusCpu, prometheusMemory, prometheusTokenFile } = options;
  if (target !== undefined && target !== 'storefront') {
    if (http !== undefined || https !== undefined) {
      throw problem(
        'invalid_arguments',
        '--target names a server to start, --http and --https a running one. Give one or the other.',
      );
    }
    demandRunning(options);
    // What is wrong with a value is the schema's to say.
    return { kind: 'managed', server: target, ...ofServer } as ManagedTargetInput;
  }
  if (Object.keys(ofServer).length > 0) {
    throw problem('invalid_arguments', 'Server options need a server, such as --target nginx.');
  }
  if ((agent === undefined) !== (agentKey === undefined)) {
    throw problem(
      'invalid_arguments',
      '--agent and --agent-key go together. The agent prints its key when it starts.',
    );
  }
  if (prometheus === undefined && (prometheusCpu ?? prometheusMemory ?? prometheusTokenFile) !== undefined) {
    throw problem(
      'invalid_arguments',
      '--prometheus-cpu, --prometheus-memory and --prometheus-token-file need --prometheus.',
    );
  }
  if (http === undefined && https === undefined && needed.size > 0) {
    demandRunning(options);
    return { kind: 'storefront' };
  }
  if ([...needed].some((scheme) => options[scheme] === undefined)) {
    throw problem('invalid_arguments', '--http and --https go together. Give an address for each side.');
  }
  const pem = ca === undefined ? undefined : readText(ca, '--ca');
  const clientCertificate = clientCert === undefined ? undefined : readText(clientCert, '--client-cert');
  return {
    ...{ kind: 'origins', http, https, ca: pem, clientCertificate, trust, twin, pid },
    ...(agent === undefined ? {} : { agent: { address: agent, fingerprint: agentKey ?? '' } }),
    ...(prometheus === undefined
      ? {}
      : {
          prometheus: {
            ...sourceOf(prometheus, prometheusCpu, prometheusMemory),
            ...(prometheusTokenFile === undefined ? {} : { bearer: true as const }),
          },
        }),
  };
}

const ofRunning = {
  ...{ ca: '--ca', clientCert: '--client-cert', clientKey: '--client-key', trust: '--trust' },
  ...{ twin: '--twin', pid: '--pid', agent: '--agent', agentKey: '--agent-key', prometheus: '--prometheus' },
  ...{ prometheusCpu: '--prometheus-cpu', prometheusMemory: '--prometheus-memory' },
  prometheusTokenFile: '--prometheus-token-file',
} as const satisfies { [Option in keyof Options]: string };

/** For a target that this program starts: refuses what is said of a running one. */
function demandRunning(options: Options): void {
  const given = Object.entries(ofRunning).find(
    ([name]) => options[name as keyof typeof ofRunning] !== undefined,
  );
  if (given === undefined) return;
  throw problem(
    'invalid_arguments',
    `${given[1]} applies only to a server that is already running. Use it with --http and --https, without --target.`,
  );
}

function sourceOf(url: string, cpu: string | undefined, memory: string | undefined): PrometheusSource {
  const usual = prometheusSourceSchema.shape;
  return { url, cpu: cpu ?? usual.cpu.parse(undefined), memory: memory ?? usual.memory.parse(undefined) };
}

/**
 * Where one address is given, the other one as it usually is.
 * @param schemes that the sides speak
 * Throws invalid_arguments.
 */
export function withBothAddresses<Given extends Options>(
  given: Given,
  schemes: ReadonlySet<Scheme> = bothSchemes,
): Given {
  const { target, http, https } = given;
  if (target !== undefined || schemes.size < 2) return given;
  if (https === undefined && http !== undefined) return { ...given, https: otherOf(http, 'http') };
  if (http === undefined && https !== undefined) return { ...given, http: otherOf(https, 'https') };
  return given;
}

/** Says which side was guessed. */
function otherOf(address: string, scheme: Scheme): string {
  const wrong = addressProblem(address, scheme);
  if (wrong !== null) throw problem('invalid_arguments', `--${scheme}: ${wrong}`);
  const other = scheme === 'http' ? 'https' : 'http';
  const guess = guessOther(address, scheme);
  if (guess === null) {
    throw problem(
      'invalid_arguments',
      `Give --${other} too. It is guessed only for ports 80, 443, 8080 and 8443.`,
    );
  }
  process.stderr.write(`--${other} not given, using ${guess}.\n`);
  return guess;
}

/** What a build asks of a result. */
type Gate<Asked = Condition> = {
  conditions: Asked[];
  strict: boolean;
  /** An earlier run, or the one pinned in the series; null to count from no difference between the sides. */
  against: NamedRun | typeof pinned | null;
  junitPath: string | null;
};

/** As it is written after `--against`. */
const pinned = 'baseline';

export type GateOptions = { failIf?: string[]; strict?: boolean; against?: string; junit?: string };

/** Throws invalid_arguments, file_unreadable. */
export function gateOf(options: GateOptions): Gate {
  return readGate(options, parseCondition);
}

/** Checks before anything is measured what would otherwise fail after it. Throws as above, and what `parse` throws. */
export function readGate<Asked>(
  { failIf = [], strict = false, against, junit }: GateOptions,
  parse: (text: string) => Asked,
): Gate<Asked> {
  const given = [strict && '--strict', against && '--against', junit && '--junit'].filter(Boolean);
  if (failIf.length === 0 && given.length > 0) {
    throw problem('invalid_arguments', `${given[0]} needs at least one --fail-if.`);
  }
  if (junit !== undefined) demandWritable(junit, '--junit');
  return {
    conditions: failIf.map(parse),
    strict,
    against: againstOf(against),
    junitPath: junit ?? null,
  };
}

function againstOf(text: string | undefined): Gate['against'] {
  if (text === undefined) return null;
  return text === pinned ? pinned : nameRun(text, '--against');
}

/** Of a run. */
export function openGate(gate: Gate, kind: typeof comparison, annotation: Annotation) {
  return openGateOf<RunDocument, Condition>(gate, { kind, judge }, annotation);
}

type Judged<Document extends AnyDocument, Asked> = {
  kind: Parameters<typeof readRun<Document>>[1] &
    Pick<Kind<unknown, unknown, unknown, Document, unknown>, 'page' | 'report'>;
  judge(document: Document, condition: Asked, how: { against: Document | null; strict: boolean }): Judgment;
};

type GatedDocument = AnyDocument & Pick<RunDocument, 'id' | 'startedAt' | 'endedAt' | 'command'>;

/**
 * Judges a finished result and writes a sentence for each condition to stderr. The exit code is 3 if a condition failed, 2 if one
 * cannot be judged, otherwise 0. On GitHub the sentences are annotations, and the report is added to the summary of the job.
 */
export function openGateOf<Document extends GatedDocument, Asked extends { text: string }>(
  gate: Gate<Asked>,
  { kind, judge }: Judged<Document, Asked>,
  annotation: Annotation,
) {
  const { conditions, strict, against, junitPath } = gate;
  let earlierOf = async (_document: Document): Promise<Document | null> => null;
  return {
    /** Before anything is measured. Throws invalid_arguments, run_newer, run_not_found. */
    async readEarlier(api: ApiClient): Promise<void> {
      const readStored = (id: string) => api.readDocument(`/${kind.page}/${id}`);
      if (against === null) return;
      if (against === pinned) {
        earlierOf = async (document) => {
          const { baseline: id } = await api.call(runEndpoints.showSeries, { params: { id: document.id } });
          return id === null ? null : readRun({ argument: '--against', id }, kind, readStored);
        };
        return;
      }
      const run = await readRun(against, kind, readStored);
      if (run.state !== 'finished') {
        const what = kind.noun.replace(/^an? /, '');
        throw problem('invalid_arguments', `--against: that ${what} is ${run.state}, not finished.`);
      }
      earlierOf = async () => run;
    },
    async judge(document: Document): Promise<number> {
      if (conditions.length === 0) return 0;
      const earlier = await earlierOf(document);
      const judgments = conditions.map((condition) =>
        against !== null && earlier === null
          ? withoutBaseline(condition)
          : judge(document, condition, { against: earlier, strict }),
      );
      for (const { sentence } of judgments) process.stderr.write(`${sentence}\n`);
      if (junitPath !== null) {
        const seconds = ((document.endedAt ?? 0) - (document.startedAt ?? 0)) / 1000;
        writeText(junitPath, printJunit(judgments, document.command, seconds), '--junit');
      }
      tellGithub(judgments, () => printMarkdown(kind.report(document), annotation));
      return exitCodeOf(judgments);
    },
  };
}

function exitCodeOf(judgments: readonly Judgment[]): number {
  const outcomes = new Set(judgments.map(({ outcome }) => outcome));
  if (outcomes.has('failed')) return 3;
  return outcomes.has('unknown') ? 2 : 0;
}

function withoutBaseline(condition: { text: string }): Judgment {
  const sentence = `${condition.text}: no baseline is pinned for runs like this one. Pin one on its page.`;
  return { condition, outcome: 'unknown', sentence };
}

function tellGithub(judgments: readonly Judgment[], report: () => string): void {
  const { GITHUB_ACTIONS: onGithub, GITHUB_STEP_SUMMARY: summaryPath } = process.env;
  if (onGithub !== 'true') return;
  for (const line of judgments.flatMap((judgment) => annotationOf(judgment) ?? [])) {
    process.stderr.write(`${line}\n`);
  }
  if (summaryPath !== undefined) appendFileSync(summaryPath, report());
}
