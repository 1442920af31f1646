import { problem } from '../../../shared/base/problem.ts';
import type { Scheme } from '../../../shared/base/transport.ts';
import { addressProblem, guessOther } from '../../../shared/target/address-problem.ts';
import { type PrometheusSource, prometheusSourceSchema } from '../../../shared/target/readings.ts';
import type { ManagedTargetInput, TargetInput } from '../../../shared/target/target.ts';
import { readText } from '../settings/token-file.ts';

type TextOption =
  | (
      | 'target'
      | 'http'
      | 'https'
      | 'ca'
      | 'clientCert'
      | 'clientKey'
      | 'trust'
      | 'control'
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
  const { target, http, https, ca, clientCert, trust, control, pid, agent, agentKey } = options;
  const { prometheus, prometheusCpu, prometheusMemory, prometheusTokenFile } = options;
  if (target !== undefined && target !== 'storefront') {
    if (http !== undefined || https !== undefined) {
      throw problem(
        'invalid_arguments',
        '--target names a server to start, --http and --https a running one. Give one or the other.',
      );
    }
    demandRunning(options);
    // The schema rejects invalid values.
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
    ...{ kind: 'origins', http, https, ca: pem, clientCertificate, trust, twin: control, pid },
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
  ...{
    control: '--control',
    pid: '--pid',
    agent: '--agent',
    agentKey: '--agent-key',
    prometheus: '--prometheus',
  },
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
 * Adds the other address if only one is given, guessed from the usual ports.
 * @param schemes that the sides speak
 * Throws invalid_arguments.
 */
export function withBothAddresses<Given extends Options>(
  given: Given,
  schemes: ReadonlySet<Scheme> = bothSchemes,
): Given {
  const { target, http, https } = given;
  if (target !== undefined || schemes.size < 2) return given;
  if (https === undefined && http !== undefined) return { ...given, https: guessOtherAddress(http, 'http') };
  if (http === undefined && https !== undefined) return { ...given, http: guessOtherAddress(https, 'https') };
  return given;
}

/** Says which side was guessed. */
function guessOtherAddress(address: string, scheme: Scheme): string {
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
