import { looksOf, type SideLooks, sideColors } from '../../shared/base/side-looks.ts';
import { type BySide, bySide, type KnownSide, labelsOf, type SideName } from '../../shared/base/transport.ts';

/** How one column of a comparison is called and drawn, the same everywhere. */
export type Side = Pick<SideLooks, 'marker' | 'dashed'> & { key: SideName; label: string; color: string };

export type Sides = BySide<Side>;

export function sidesOf(sides: BySide<KnownSide>): Sides {
  const labels = labelsOf(sides);
  const looks = looksOf(sides);
  return bySide((key) => {
    const { tone, marker, dashed } = looks[key];
    return { key, label: labels[key], color: sideColors[tone], marker, dashed };
  });
}

/** How the twin is called and drawn: the first side measured once more, which shows noise. */
export function twinOf({ baseline }: Sides): Omit<Side, 'key'> {
  return { label: `Control of ${baseline.label}`, color: '#80868e', dashed: false, marker: 'circle' };
}

/** A sentence without the options of the command line in it, for a page that has a button or a field for each: ` (--ca)`. */
export function withoutOptions(sentence: string): string {
  return sentence.replace(/ \(--[^()]*\)/g, '');
}
