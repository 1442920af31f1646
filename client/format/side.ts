import type { TransportPair } from '../../shared/transport.ts';

/** How one column of a comparison is called and drawn, the same everywhere. Colour never stands alone: dash and marker repeat it. */
export type Side = {
  key: 'http' | 'https';
  label: string;
  color: string;
  dashed: boolean;
  marker: 'circle' | 'diamond';
};

export type Sides = { http: Side; https: Side };

const colors = { http: '#0072B2', https: '#D55E00', second: '#8A63B5' };

/** Keys are those of the document (`http` is the baseline); labels say what each side spoke. */
export function sidesOf([baseline, comparison]: TransportPair): Sides {
  const same = baseline === comparison;
  const name = { http: 'HTTP', https: 'HTTPS' };
  return {
    http: {
      key: 'http',
      label: same ? `${name[baseline]} A` : name[baseline],
      color: colors[baseline],
      dashed: baseline === 'https',
      marker: baseline === 'https' ? 'diamond' : 'circle',
    },
    https: {
      key: 'https',
      label: same ? `${name[comparison]} B` : name[comparison],
      color: same ? colors.second : colors[comparison],
      dashed: same || comparison === 'https',
      marker: same || comparison === 'https' ? 'diamond' : 'circle',
    },
  };
}
