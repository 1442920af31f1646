import { serverEndpoints } from '../../../shared/api/server-endpoints.ts';
import type { GeneratorHost } from '../../../shared/measurement/runner.ts';
import { clockInWords } from '../../../shared/words/negotiated-words.ts';
import { withDashboard } from './api-client.ts';
import { verb } from './verb.ts';

const options = verb('generators')
  .description('Lists the hosts whose load generator has joined the dashboard.')
  .option('--json', 'Print JSON');

export async function generators(args: string[]): Promise<number> {
  const { json = false } = options.parse(args, { from: 'user' }).opts();
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
