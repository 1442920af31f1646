import { useMutation, useQueryClient } from '@tanstack/react-query';
import { actOnBin, type BinAct } from './act-on-bin.ts';
import { measurementQuery } from './result-queries.ts';

/** Acts on the bin from a list, which is read again afterwards. */
export function useActOnBin(act: BinAct) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[]) => actOnBin(act, ids),
    async onSuccess({ done }) {
      for (const id of done) queryClient.removeQueries({ queryKey: measurementQuery(id).queryKey });
      await queryClient.invalidateQueries({ queryKey: ['measurements'] });
    },
  });
}
