import { X509Certificate } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { apiPrefix } from '../../../shared/api/prefix.ts';
import { quantile } from '../../method/statistics/quantile.ts';
import type { Figure } from '../figure.ts';
import { startMeasuredServer } from '../test-server.ts';
import { type StoppedTarget, startStoppedTarget } from './stopped-target.ts';

const times = 10;
/** Load has stopped when the target gets nothing for this long and has no connection open. */
const quietMs = 500;
const longestMs = 120_000;

type LoadSource = { name: string; path: string; body: object; afterRequests: number };

/** From `POST /stop` until the target has seen its last byte and the end of its last connection, for whatever can load it. */
export async function measureKillSwitch(): Promise<Figure[]> {
  const server = await startMeasuredServer();
  const target = await startStoppedTarget(server.dataDirectory);
  const post = (path: string, body?: object) =>
    fetch(`${server.url}${apiPrefix}${path}`, {
      method: 'POST',
      headers: { Origin: server.url, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const figures: Figure[] = [];
  try {
    for (const source of loadSourcesOf(target)) {
      const stoppedMs: number[] = [];
      while (stoppedMs.length < times) stoppedMs.push(await stopOnce(source, target, post));
      const of = { bench: 'remote', unit: 's' };
      figures.push({
        ...of,
        figure: `stop until the target is idle: ${source.name}`,
        value: quantile(stoppedMs, 0.5) / 1000,
        range: [Math.min(...stoppedMs) / 1000, Math.max(...stoppedMs) / 1000],
        atMost: 1,
      });
    }
    return figures;
  } finally {
    await server.stop();
    target.close();
  }
}

function loadSourcesOf({ http, https, certificate }: StoppedTarget): LoadSource[] {
  const { fingerprint256: trust } = new X509Certificate(certificate);
  const target = { http, https, trust };
  const goto = { type: 'goto', line: null, page: 0, url: `${http}/busy` };
  const stay = { type: 'pause', line: null, page: 0, durationMs: 60_000 };
  return [
    { name: 'a run', path: '/measurements', body: { kind: 'comparison', target }, afterRequests: 1000 },
    { name: 'a check', path: '/preflight', body: { target }, afterRequests: 1 },
    { name: 'a recording', path: '/recordings', body: { url: `${http}/busy` }, afterRequests: 20 },
    { name: 'a replay', path: '/recordings/replays', body: { actions: [goto, stay] }, afterRequests: 20 },
  ];
}

/** Returns ms. */
async function stopOnce(
  { name, path, body, afterRequests }: LoadSource,
  target: StoppedTarget,
  post: (path: string, body?: object) => Promise<Response>,
): Promise<number> {
  const untilMs = performance.now() + longestMs;
  target.forget();
  let refused = '';
  const ask = async () => {
    const response = await post(path, body);
    if (!response.ok) refused = await response.text();
  };
  let asked = ask();
  while (target.requests() < afterRequests) {
    // The machine may be at the end of the one before.
    if (refused.includes('machine_busy')) {
      refused = '';
      asked = ask();
    } else if (refused !== '') throw new Error(`${name}: ${refused}`);
    if (performance.now() > untilMs) throw new Error(`${name}: the target was not loaded`);
    await pause(20);
  }
  const stoppedAtMs = performance.now();
  await post('/stop');
  for (;;) {
    const lastAtMs = target.lastAtMs();
    if (target.connections() === 0 && performance.now() - lastAtMs > quietMs) {
      await asked;
      return lastAtMs - stoppedAtMs;
    }
    if (performance.now() - stoppedAtMs > longestMs) throw new Error(`${name}: it did not stop`);
    await pause(20);
  }
}
