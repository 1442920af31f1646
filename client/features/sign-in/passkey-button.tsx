import { useMutation } from '@tanstack/react-query';
import { passkeyTrouble, signInWithPasskey } from '../../api/passkeys.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { TroubleNotice } from '../../components/trouble-notice.tsx';

export function PasskeyButton({ onSignedIn }: { onSignedIn: () => void }) {
  const signIn = useMutation({ mutationFn: signInWithPasskey, onSuccess: onSignedIn });
  return (
    <>
      {signIn.error === null ? null : <TroubleNotice trouble={passkeyTrouble(signIn.error)} />}
      <ActionButton
        variant="default"
        pending={signIn.isPending || signIn.isSuccess}
        onClick={() => signIn.mutate()}
      >
        Sign in with a passkey
      </ActionButton>
    </>
  );
}
