import { useMutation } from '@tanstack/react-query';
import { sessionEndpoints } from '../../../shared/api/session-endpoints.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';

/** Leaves for the identity provider, which leads back to this page. */
export function ProviderButton({ name }: { name: string }) {
  const start = useMutation({
    mutationFn: () =>
      callEndpoint(sessionEndpoints.startProviderSignIn, {
        body: { returnTo: `${location.pathname}${location.search}` },
      }),
    onSuccess: ({ url }) => location.assign(url),
  });
  return (
    <>
      <ProblemNotice error={start.error} />
      <ActionButton
        variant="default"
        pending={start.isPending || start.isSuccess}
        onClick={() => start.mutate()}
      >
        Sign in with {name}
      </ActionButton>
    </>
  );
}
