import { type Scenario, scenarioSchema } from './scenario.ts';

/**
 * Content codings that browsers ask for and the check can compare. The same on both sides, although browsers ask for the
 * first two alone without TLS: a run compares transports, not codings.
 */
export const browserEncodings = 'gzip, deflate, br, zstd';

/**
 * A GET of each path, in this order: what is asked of a site for which nobody has made a scenario.
 *
 * @param encodings null for documents of a server of ours, which it has uncompressed
 */
export function pathScenario(
  paths: readonly [string, ...string[]],
  encodings: string | null = browserEncodings,
): Scenario {
  const headers = encodings === null ? {} : { 'accept-encoding': encodings };
  const [first, ...others] = paths;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return scenarioSchema.parse({
    name: `GET ${shorten(first, 96 - more.length)}${more}`,
    steps: paths.map((path) => ({ name: shorten(path, 100), method: 'GET', path, headers })),
  });
}

/** The paths of a scenario that was made of them; null for any other. */
export function pathsOf(scenario: Scenario): [string, ...string[]] | null {
  const [first, ...others] = scenario.steps.map(({ path }) => path);
  if (first === undefined) return null;
  const paths: [string, ...string[]] = [first, ...others];
  return JSON.stringify(pathScenario(paths)) === JSON.stringify(scenario) ? paths : null;
}

function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
