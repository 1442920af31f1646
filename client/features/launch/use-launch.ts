import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { CreateRunInput } from '../../../shared/api.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { rememberDeleteToken } from '../../api/delete-tokens.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';

/** Creates a run, keeps its delete token in this browser and goes to its page. */
export function useLaunch() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: CreateRunInput) =>
      callEndpoint('createRun', {
        body: request,
        headers: { 'idempotency-key': newIdempotencyKey() },
      }),
    onSuccess: async ({ id, deleteToken }) => {
      rememberDeleteToken(id, deleteToken);
      await queryClient.invalidateQueries({ queryKey: ['runs'] });
      await navigate(`/r/${id}`);
    },
  });
}
