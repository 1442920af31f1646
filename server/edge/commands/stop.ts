import { verb } from './verb.ts';
import { withRunningDashboard } from './with-dashboard.ts';

const options = verb('stop').description(
  'Stops all load of the dashboard that runs on the data directory, within a second: what is under way ends, and what waits is canceled. Results up to that point are kept.',
);

export async function stop(args: string[]): Promise<number> {
  options.parse(args, { from: 'user' });
  const stopped = await withRunningDashboard((api) => api.stop());
  process.stdout.write(
    stopped === 0 || stopped === null ? 'Nothing was running.\n' : 'All load has stopped.\n',
  );
  return 0;
}
