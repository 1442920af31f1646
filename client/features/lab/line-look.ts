/** As many lines as colours, dashes and markers can still tell apart. */
export const mostLines = 6;

const colors = ['#0072B2', '#D55E00', '#009E73', '#8A63B5', '#B8860B', '#56707F'];

/** How the line of that place is drawn; dash and marker repeat what the colour says. */
export function lookOfLine(label: string, index: number) {
  const odd = index % 2 === 1;
  return {
    label,
    color: colors[index % colors.length] ?? '#0072B2',
    dashed: odd,
    marker: odd ? ('diamond' as const) : ('circle' as const),
  };
}
