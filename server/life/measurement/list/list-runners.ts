import type { MeasurementSummary } from '../../../../shared/measurement/measurement-summary.ts';
import type { Measurements } from '../measurements.ts';
import type { Dispatch } from '../queue/dispatch.ts';

/** Who measures what, and what no connected runner can take, each with the address of its measurement. */
export async function listRunners(
  dispatch: Pick<Dispatch, 'runners'>,
  summaryOf: (id: string) => Promise<MeasurementSummary>,
): ReturnType<Measurements['runners']> {
  async function linked(id: string | null) {
    if (id === null) return null;
    const found = await summaryOf(id).catch(() => null);
    return found === null ? null : { id, url: found.url, title: found.title };
  }

  const found = await dispatch.runners();
  if (found === null) return { runners: null, stranded: [] };
  const runners = found.runners.map(async ({ busy, ...each }) => ({ ...each, busy: await linked(busy) }));
  const stranded = found.stranded.map(async ({ id, labels }) => {
    const link = await linked(id);
    return link === null ? [] : { ...link, labels };
  });
  return { runners: await Promise.all(runners), stranded: (await Promise.all(stranded)).flat() };
}
