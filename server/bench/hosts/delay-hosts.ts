import { startAskedProcess } from '../../base/process/start-asked-process.ts';
import type { HostsInTest } from '../../testing/hosts-in-test.ts';
import { delayQuestions } from './delay-questions.ts';

/**
 * Puts a round trip between the hosts of generators and everything else: the target, and the conductor behind it. The kernel here may have no
 * netem, so a process carries the packets.
 */
export async function delayHosts(
  { target, generators }: HostsInTest,
  roundTripMs: number,
): Promise<{ pid: number; stop(): Promise<void> }> {
  const { pid, ask, stop } = await startAskedProcess({
    ...{ script: new URL('./delay-process.ts', import.meta.url), questions: delayQuestions },
    ...{ name: 'The process that delays packets', code: 'link_failed', graceMs: 20_000 },
  });
  const names = await ask('open', {
    from: target.pid,
    to: generators.map(({ host }) => host.pid),
    roundTripMs,
  });
  for (const [nth, { host }] of generators.entries()) {
    const { near = '', far = '' } = names[nth] ?? {};
    target.run('ip', 'link', 'set', near, 'up');
    host.run('ip', 'link', 'set', far, 'up');
    target.run('ip', 'route', 'add', `${host.address}/32`, 'dev', near);
    host.run('ip', 'route', 'replace', 'default', 'dev', far, 'src', host.address);
  }
  return { pid, stop };
}
