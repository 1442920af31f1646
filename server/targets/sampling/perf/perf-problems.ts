import { problem } from '../../../../shared/base/problem.ts';

/** Why perf cannot sample here, before it is tried and after. */

/** In a sentence; null where it may sample everything on a core. @param paranoid and `pointers`, as the kernel prints them; null where it does not */
export function permissionProblem(
  userId: number,
  paranoid: string | null,
  pointers: string | null,
): string | null {
  if (paranoid === null) return 'This kernel has no performance events, so perf cannot sample it.';
  if (userId === 0) return null;
  const settings = [
    ...(Number(paranoid) > 0 ? ['kernel.perf_event_paranoid=0'] : []),
    ...(Number(pointers ?? 0) > 0 ? ['kernel.kptr_restrict=0'] : []),
  ];
  if (settings.length === 0) return null;
  return `The kernel does not let this user sample it. Permit it with: sudo sysctl ${settings.join(' ')}`;
}

/** What perf says on stderr, as a problem. */
export function problemOfPerf(said: string) {
  if (/No space left on device/i.test(said)) {
    return problem('disk_full', 'There was no space left on the disk for the recording of perf.');
  }
  if (/paranoid|not permitted|permission denied|EACCES|EPERM/i.test(said)) {
    return problem(
      'perf_forbidden',
      'The kernel did not let perf sample the target. Run TLS Toll as root, or: sudo sysctl kernel.perf_event_paranoid=0',
    );
  }
  const last = said.trim().split('\n').at(-1)?.trim().slice(0, 300) ?? '';
  return problem('perf_failed', `perf could not record${last === '' ? '.' : `: ${last}`}`);
}
