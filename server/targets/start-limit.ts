import { problem } from '../../shared/base/problem.ts';
import type { Permission } from './resolve-origins.ts';

const limitMs = 60_000;

/** Aborts with target_unreachable when a target that somebody waits for takes too long to start and to be looked at. */
export function startLimit(): AbortSignal {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    const detail = `The target was not ready within ${limitMs / 1000} s. Try again when this machine is less busy.`;
    controller.abort(problem('target_unreachable', detail));
  }, limitMs);
  timer.unref();
  return controller.signal;
}

/** The same for what nobody waits for once all load is stopped. */
export function startSignal({ stopped }: Permission, closing?: AbortSignal): AbortSignal {
  const others = [closing, stopped?.()].filter((each) => each !== undefined);
  return AbortSignal.any([startLimit(), ...others]);
}
