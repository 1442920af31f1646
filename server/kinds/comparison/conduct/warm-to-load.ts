import type { AtLoad } from '../../../../shared/kinds/comparison/at-load.ts';
import type { LoadInstruments } from './instruments.ts';
import { warmUp } from './warm-up.ts';

type Asked<Name extends string> = Pick<Parameters<typeof warmUp<Name>>[0], 'plan' | 'scenario' | 'labels'>;

/**
 * Until a request costs no less than before. With the first launch, of which no load is known, it is found; the others keep to it.
 */
export async function warmToLoad<Name extends string>(
  asked: Asked<Name>,
  instruments: LoadInstruments<Name>,
  known: AtLoad | null,
  seed: number,
  signal: AbortSignal,
): Promise<AtLoad> {
  let load = known;
  const run = {
    ...asked,
    ...{ startedAtMs: performance.now(), warmUp: null, load, usualLoad: null, transactionMs: 0 },
    async setLoad(found: AtLoad) {
      load = found;
    },
    async enter() {},
  };
  await warmUp(run, instruments, seed, signal);
  if (load === null) throw new Error('no load was found in the warm-up');
  return load;
}
