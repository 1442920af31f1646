import { permitEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { withRunningDashboard } from './api-client.ts';
import { verb } from './verb.ts';

const options = verb('stop').description(
  'Stops all load of the dashboard that runs on the data directory, within a second: what is under way ends, and what waits is canceled. Results up to that point are kept.',
);

export async function stop(args: string[]): Promise<number> {
  options.parse(args, { from: 'user' });
  const answer = await withRunningDashboard((api) => api.call(permitEndpoints.stopAll));
  process.stdout.write(
    answer === null || answer.stopped === 0 ? 'Nothing was running.\n' : 'All load has stopped.\n',
  );
  return 0;
}
