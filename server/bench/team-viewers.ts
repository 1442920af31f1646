import { get } from 'node:http';
import { readProc } from '../base/process/proc-files.ts';
import type { LabInTest } from '../testing/lab-in-test.ts';

const viewersOfEach = 500;

/** Each address has a share of the rate limit of its own. */
const addressOf = (index: number) => `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;

/** 1,000 viewers of one measurement, on two dashboards: how many events of its log they miss, and what they take. */
export async function watchByMany(
  dashboards: readonly LabInTest[],
  begin: () => Promise<string>,
): Promise<{ count: number; missed: number; megabytes: number }> {
  const [dashboard] = dashboards;
  if (dashboard === undefined) throw new Error('there is no dashboard');
  const id = await begin();
  await dashboard.watch(id).until(({ type }) => type === 'cells');
  const before = dashboards.map(({ program }) => residentBytes(program.pid));
  const heard = dashboards.flatMap(({ url }) =>
    Array.from({ length: viewersOfEach }, (_, index) =>
      hear(`${url}/api/v1/measurements/${id}/events`, addressOf(index)),
    ),
  );
  await Promise.all(heard.map(({ begun }) => begun));
  const grown = dashboards.map(({ program }, index) => residentBytes(program.pid) - (before[index] ?? 0));
  await dashboard.cancel(id);
  const ids = await Promise.all(heard.map(({ ended }) => ended));
  const last = Math.max(...ids.flat());
  const missed = ids.reduce((sum, each) => sum + last - new Set(each).size, 0);
  return { count: ids.length, missed, megabytes: Math.max(...grown) / 1e6 };
}

/** IDs of all events, up to the end. */
function hear(url: string, localAddress: string): { begun: Promise<void>; ended: Promise<number[]> } {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number[]>();
  get(url, { agent: false, localAddress }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      begun.resolve();
    });
    response.once('error', ended.reject).once('end', () => {
      ended.resolve([...text.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number)));
    });
  }).once('error', begun.reject);
  return { begun: begun.promise, ended: ended.promise };
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`/proc/${pid}/status`) ?? '') ?? [];
  return Number(kilobytes) * 1024;
}
