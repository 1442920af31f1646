import { useMutation, useQueryClient } from '@tanstack/react-query';
import { permitEndpoints } from '../../shared/api/permit-endpoints.ts';
import { callEndpoint } from '../api/call-endpoint.ts';
import { ActionButton } from './action-button.tsx';
import { ProblemNotice } from './problem-notice.tsx';

/** Ends all load at once. It asks nothing first, because the user is in a hurry. */
export function StopButton() {
  const queryClient = useQueryClient();
  const stop = useMutation({
    mutationFn: () => callEndpoint(permitEndpoints.stopAll),
    onSettled: () => queryClient.invalidateQueries(),
  });
  return (
    <div>
      <ActionButton variant="default" pending={stop.isPending} onClick={() => stop.mutate()}>
        Stop all load
      </ActionButton>
      {stop.data === undefined ? null : <p role="status">{stoppedText(stop.data.stopped)}</p>}
      <ProblemNotice error={stop.error} />
    </div>
  );
}

function stoppedText(stopped: number): string {
  return stopped === 0 ? 'Nothing was running.' : 'All load has stopped.';
}
