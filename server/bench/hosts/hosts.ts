import { mayMakeHosts } from '../../testing/network-host.ts';
import { hasNginx } from '../../testing/nginx-in-test.ts';
import { type Figure, printFigures } from '../figure.ts';
import { measureAgreement } from './agreement.ts';
import { playFaults } from './faults.ts';
import { simulateHosts } from './simulation.ts';

type Choice = { runs: number | null; seed: number; only: string | null };
type Result = { rows: unknown[]; text: string };

const parts: Record<string, (choice: Choice) => Promise<Result>> = {
  agreement: async (choice) => printed(await measureAgreement(choice)),
  delay: async (choice) => printed(await measureAgreement({ ...choice, delayMs: 20 })),
  faults: () => playFaults(''),
  simulation: async () => printed(await simulateHosts()),
};

/** Load from several hosts: whether they agree with one, what comes of faults, and how many hosts one conductor leads. */
export async function measureHosts(choice: Choice): Promise<Result> {
  const { only } = choice;
  if (only !== 'simulation' && (!mayMakeHosts || !hasNginx)) {
    return { rows: [], text: 'Network namespaces or nginx are missing, so load from hosts is not measured.' };
  }
  if (only !== null && parts[only] === undefined) return playFaults(only);
  const results: Result[] = [];
  for (const name of only === null ? Object.keys(parts) : [only]) {
    const result = await parts[name]?.(choice);
    if (result !== undefined) results.push(result);
  }
  return { rows: results.flatMap(({ rows }) => rows), text: results.map(({ text }) => text).join('\n') };
}

function printed(figures: Figure[]): Result {
  return { rows: figures, text: printFigures(figures) };
}
