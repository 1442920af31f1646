import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import { pathScenario } from '../../shared/scenario/path-scenario.ts';
import type { Authority } from '../targets/certificate-authority.ts';
import type { Nginx } from './nginx.ts';
import type { RepeatTarget } from './repetition.ts';

/** Of the page, where we choose it. */
export const pageBytes = 10_000;

export type RepeatQuestion = {
  request: RunRequestInput;
  /** What wrk asks for. */
  path: string;
  /** Before wrk's windows, for each side. */
  warmUpS: number;
};

/** Both tools ask for one page: wrk can do no more. Of the storefront it is the form with the most popular products. */
const storefrontPath = '/search';

export function questionOf(
  target: RepeatTarget,
  { ports }: Pick<Nginx, 'ports'>,
  { caPem }: Pick<Authority, 'caPem'>,
): RepeatQuestion {
  const request: RunRequestInput = { preset: 'quick' };
  if (target === 'managed') {
    return { request: { ...request, target: 'nginx' }, path: `/${pageBytes}.html`, warmUpS: 0 };
  }
  if (target === 'storefront') {
    return {
      request: { ...request, target, scenario: pathScenario([storefrontPath]) },
      ...{ path: storefrontPath, warmUpS: 2 },
    };
  }
  const path = `/${pageBytes}`;
  return {
    request: {
      ...request,
      target: {
        http: `http://127.0.0.1:${ports.http}`,
        https: `https://127.0.0.1:${ports.https}`,
        ca: caPem,
      },
      scenario: pathScenario([path]),
    },
    ...{ path, warmUpS: 0 },
  };
}
