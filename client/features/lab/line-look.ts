/** As many lines as colours, dashes and markers can still tell apart. */
export const mostLines = 6;

/** None of them is a transport's. */
const colors = ['#009E73', '#8A63B5', '#B8860B', '#56707F', '#B8578E', '#A0703F'];

/** How the line of that place is drawn; dash and marker repeat what the colour says. */
export function lookOfLine(label: string, index: number) {
  const odd = index % 2 === 1;
  return {
    label,
    color: colors[index % colors.length] ?? '#009E73',
    dashed: odd,
    marker: odd ? ('diamond' as const) : ('circle' as const),
  };
}
