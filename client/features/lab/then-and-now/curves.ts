/** A figure of an old table and of today, as lines over what both vary: one choice of a then-and-now figure. */
export type Curves = {
  name: string;
  /** Titles of the axes, with their units. */
  x: string;
  y: string;
  lines: Line[];
  /** The finding, in words. */
  caption: string;
};

export type Line = {
  label: string;
  /** Of an old table: dashed. */
  old: boolean;
  /** With the dash it repeats what the colour says. */
  marker: 'circle' | 'diamond';
  color: string;
  points: { x: number; y: number }[];
};
