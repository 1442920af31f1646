import { binEndpoints } from '../../shared/api/bin-endpoints.ts';
import { type BinOutcome, mostAtOnce } from '../../shared/measurement/bin.ts';
import { callEndpoint } from './call-endpoint.ts';
import { forgetDeleteToken, recallDeleteToken } from './delete-tokens.ts';

export type BinAct = 'binMeasurements' | 'restoreMeasurements' | 'removeMeasurements';

/** Does it with those that are ours, and leaves the others alone. */
export async function actOnBin(act: BinAct, ids: readonly string[]): Promise<BinOutcome> {
  const items = ids.flatMap((id) => {
    const deleteToken = recallDeleteToken(id);
    return deleteToken === null ? [] : [{ id, deleteToken }];
  });
  const outcome: BinOutcome = { done: [], refused: [] };
  for (let at = 0; at < items.length; at += mostAtOnce) {
    const { done, refused } = await callEndpoint(binEndpoints[act], {
      body: { items: items.slice(at, at + mostAtOnce) },
    });
    outcome.done.push(...done);
    outcome.refused.push(...refused);
    if (act === 'removeMeasurements') for (const id of done) forgetDeleteToken(id);
  }
  return outcome;
}
