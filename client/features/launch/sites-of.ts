import type { Labels } from '../../../shared/measurement/runner.ts';
import type { LaunchForm } from './form-shape.ts';

/** Where to measure: one set of labels for each combination of the chosen values; none for any runner. */
export function sitesOf({ labelValues }: Pick<LaunchForm, 'labelValues'>): Labels[] {
  const chosen = Object.entries(labelValues).filter(([, values]) => values.length > 0);
  if (chosen.length === 0) return [];
  return chosen.reduce<Labels[]>(
    (sites, [name, values]) => sites.flatMap((site) => values.map((value) => ({ ...site, [name]: value }))),
    [{}],
  );
}
