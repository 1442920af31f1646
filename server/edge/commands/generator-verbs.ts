import { availableParallelism } from 'node:os';
import { serverEndpoints } from '../../../shared/api/server-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import { type GeneratorHost, generatorNameSchema } from '../../../shared/measurement/runner.ts';
import { fingerprintSchema } from '../../../shared/target/target.ts';
import { clockInWords } from '../../../shared/words/negotiated-words.ts';
import { type AllowedTarget, parseAllowed } from '../../drive/hosts/allowed-targets.ts';
import { type JoinOptions, joinDashboard } from '../../drive/hosts/join-dashboard.ts';
import { lookUp } from '../../targets/preflight/resolve-origins.ts';
import { ownName, splitPlace } from '../settings/config.ts';
import { productVersion } from '../settings/product-version.ts';
import { readTokenFile } from '../settings/token-file.ts';
import { withDashboard } from './api-client.ts';
import { numberIn, parsedBy } from './option-values.ts';
import { untilSignal } from './serve.ts';
import { collect, verb } from './verb.ts';

const generatorOptions = verb('generator')
  .description(
    'Offers this host’s load generator to a dashboard on another host, and joins it again whenever the connection ends. It loads only what you allow. Runs until you stop it with Ctrl-C.',
  )
  .requiredOption(
    '--join <host:port>',
    'Where the dashboard listens for generators (its TLS_TOLL_GENERATORS)',
  )
  .requiredOption('--key <fingerprint>', 'Fingerprint that the dashboard prints when it starts')
  .requiredOption('--token-file <file>', 'File with the token: a copy of data/generator.token')
  .option('--name <name>', 'Name of the generator (default: the name of this machine)')
  .option('--cores <n>', 'Processes that it may start (default: one for each core but one)', numberIn)
  .option(
    '--allow <host[:port]>',
    'Host name, IP address, or range that it may load; more than once for several (default: nothing)',
    collect,
  );

export async function generator(args: string[]): Promise<number> {
  const parsed = parseGenerator(args);
  const ended = new AbortController();
  void untilSignal().then(() => ended.abort());
  await joinDashboard({
    ...parsed,
    version: productVersion(),
    lookUp,
    signal: ended.signal,
    say: (sentence) => process.stdout.write(`${sentence}\n`),
  });
  return process.env.JOB_COMPLETION_INDEX === undefined ? 0 : stoppedInJob;
}

/** In an Indexed Job of Kubernetes: 0 would say that this pod has done its part, and a pod that is deleted would not be replaced. */
const stoppedInJob = 143;

type Parsed = Omit<JoinOptions, 'version' | 'lookUp' | 'signal' | 'say'>;

/** Throws invalid_arguments, file_unreadable. */
export function parseGenerator(args: string[]): Parsed {
  const given = generatorOptions.parse(args, { from: 'user' }).opts();
  const { join: place, key, tokenFile, name = ownName() } = given;
  const cores = given.cores ?? Math.max(1, availableParallelism() - 1);
  const { host, port } = splitPlace(place);
  if (host === '' || !(port >= 1 && port <= 65_535)) {
    throw refused(`--join takes a host and a port, such as toll.example.com:7310, not "${place}"`);
  }
  const fingerprint = parsedBy(fingerprintSchema, key, '--key');
  parsedBy(generatorNameSchema, name, '--name');
  if (!Number.isInteger(cores) || cores < 1 || cores > 64)
    throw refused('--cores takes a number from 1 to 64');
  return {
    at: { address: host, port, fingerprint, name: place },
    ...{ name, cores, allow: (given.allow ?? []).map(allowedIn) },
    token: readTokenFile(tokenFile, '--token-file'),
  };
}

function allowedIn(text: string): AllowedTarget {
  const judgement = parseAllowed(text);
  if (judgement.valid) return judgement.allowed;
  throw refused(`--allow: ${judgement.reason.replace(/\.$/, '')}`);
}

function refused(detail: string): Error {
  return problem('invalid_arguments', `${detail}.`);
}

const generatorsOptions = verb('generators')
  .description('Lists the hosts whose load generator has joined the dashboard.')
  .option('--json', 'Print JSON');

export async function generators(args: string[]): Promise<number> {
  const { json = false } = generatorsOptions.parse(args, { from: 'user' }).opts();
  await withDashboard(async (api) => {
    const { generators: hosts } = await api.call(serverEndpoints.listRunners);
    process.stdout.write(json ? `${JSON.stringify(hosts, null, 2)}\n` : printGenerators(hosts));
  });
  return 0;
}

export function printGenerators(hosts: readonly GeneratorHost[] | null): string {
  if (hosts === null) return 'This server takes no generators: TLS_TOLL_GENERATORS is not set.\n';
  if (hosts.length === 0) return 'No generator has joined.\n';
  return hosts
    .map(({ name, address, cores, allow, state, clock }) => {
      const facts = [address, `${cores} ${cores === 1 ? 'core' : 'cores'}`, clockInWords(clock)];
      return `${name}  ${state}  ${facts.join(', ')}  may load ${allow.join(', ') || 'nothing'}\n`;
    })
    .join('');
}
