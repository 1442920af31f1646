import { useMutation, useQueryClient } from '@tanstack/react-query';
import { measurementEndpoints } from '../../shared/api/measurement-endpoints.ts';
import type { LabelChange } from '../../shared/measurement/label.ts';
import { callEndpoint } from './call-endpoint.ts';
import { labelQuery } from './queries.ts';

/** Changes what is written on a measurement; lists that show it are read again. */
export function useRelabel(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: LabelChange) =>
      callEndpoint(measurementEndpoints.changeLabel, { params: { id }, body }),
    async onSuccess(label) {
      queryClient.setQueryData(labelQuery(id).queryKey, label);
      await queryClient.invalidateQueries({ queryKey: ['measurements'] });
    },
  });
}
