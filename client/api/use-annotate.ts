import { useMutation, useQueryClient } from '@tanstack/react-query';
import { measurementEndpoints } from '../../shared/api/measurement-endpoints.ts';
import type { AnnotationChange } from '../../shared/measurement/annotation.ts';
import { callEndpoint } from './call-endpoint.ts';
import { annotationQuery } from './queries.ts';

/** Changes what is written on a measurement; lists that show it are read again. */
export function useAnnotate(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: AnnotationChange) =>
      callEndpoint(measurementEndpoints.changeAnnotation, { params: { id }, body }),
    async onSuccess(annotation) {
      queryClient.setQueryData(annotationQuery(id).queryKey, annotation);
      await queryClient.invalidateQueries({ queryKey: ['measurements'] });
    },
  });
}
