import type { GridAxes, HandshakesRequest } from '../../../../shared/kinds/handshakes/handshakes.ts';

/** The command that repeats a measurement: the same cells, in the same order where one has been drawn. */
export function handshakesCommand(
  { grid, legacy, connections }: HandshakesRequest,
  seed: number | null,
): string {
  return [
    'npx tls-toll handshakes',
    ...(typeof grid === 'string' ? [`--preset ${grid}`] : axesOptions(grid)),
    ...(legacy ? ['--legacy'] : []),
    ...(connections === null ? [] : [`--num ${connections}`]),
    ...(seed === null ? [] : [`--seed ${seed}`]),
  ].join(' ');
}

function axesOptions({ versions, ciphers, keys, groups, guesses, bytes, resumption }: GridAxes): string[] {
  const lists = { tls: versions, cipher: ciphers, key: keys, group: groups, guess: guesses, bytes };
  const options = Object.entries(lists).flatMap(([name, values]) =>
    values === undefined ? [] : [`--${name} ${values.join(',')}`],
  );
  if (resumption?.length !== 1) return options;
  return [...options, resumption[0] === 'resumed' ? '--reuse' : '--no-reuse'];
}
