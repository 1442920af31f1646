import { verdictOutcomeSchema } from '../../../shared/kinds/comparison/comparison.ts';
import { kindNameSchema, measurementStateSchema } from '../../../shared/measurement/measurement.ts';
import type { MeasurementFilter } from '../../api/queries.ts';

/** The filter of the list in its address, so that reloading, going back, and sharing the link keep it. */

/** A value that is not understood filters nothing. */
export function readFilter(query: URLSearchParams): MeasurementFilter {
  return {
    kind: kindNameSchema.safeParse(query.get('kind')).data ?? '',
    state: measurementStateSchema.safeParse(query.get('state')).data ?? '',
    verdict: verdictOutcomeSchema.safeParse(query.get('verdict')).data ?? '',
    target: query.get('target') ?? '',
    tag: query.get('tag') ?? '',
    q: query.get('q') ?? '',
  };
}

/** Empty for the whole list. */
export function printFilter(filter: MeasurementFilter): URLSearchParams {
  return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
}

export function isFiltering(filter: MeasurementFilter): boolean {
  return printFilter(filter).size > 0;
}

/** State and verdict are a single choice on the screen. */
type Outcome = '' | `state:${MeasurementFilter['state']}` | `verdict:${MeasurementFilter['verdict']}`;

export function outcomeOf({ state, verdict }: MeasurementFilter): Outcome {
  if (verdict !== '') return `verdict:${verdict}`;
  return state === '' ? '' : `state:${state}`;
}

export function readOutcome(outcome: string): Pick<MeasurementFilter, 'state' | 'verdict'> {
  const [name = '', value = ''] = outcome.split(':');
  const { state, verdict } = readFilter(new URLSearchParams({ [name]: value }));
  return { state, verdict };
}
