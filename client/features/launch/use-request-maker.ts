import { useEffect, useState } from 'react';
import { UnreachableError } from '../../api/unreachable-error.ts';

type RequestMaker = typeof import('./launch-form.ts');

/**
 * What judges the form and makes a request of it. The form is shown without it, because its schemas take a while to set up.
 * @returns `maker`, null until it is there, and `withMaker`, which waits for it
 */
export function useRequestMaker() {
  const [maker, setMaker] = useState<RequestMaker | null>(null);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    // What fails here fails again when a button is pressed, and is said then.
    open().then(setMaker, () => undefined);
  }, []);

  async function withMaker(use: (maker: RequestMaker) => void) {
    if (maker !== null) return use(maker);
    setPending(true);
    try {
      const opened = await open();
      setMaker(opened);
      setError(null);
      use(opened);
    } catch (cause) {
      setError(new UnreachableError({ cause }));
    }
    setPending(false);
  }
  return { maker, withMaker, pending, error };
}

function open(): Promise<RequestMaker> {
  return import('./launch-form.ts');
}
