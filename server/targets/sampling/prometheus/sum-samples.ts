import {
  isSelected,
  type MetricSelector,
  readLabels,
} from '../../../../shared/kinds/comparison/metric-selector.ts';

const longestLine = 65_536;

/**
 * The sum of the selected samples of an exposition, in Prometheus' text format 0.0.4, and how many they are. Other metrics are
 * not looked at. Null where a line of this one cannot be read.
 */
export function sumSamples(text: string, selector: MetricSelector): { sum: number; count: number } | null {
  let [sum, count] = [0, 0];
  for (let from = 0; from < text.length; ) {
    const feed = text.indexOf('\n', from);
    const end = feed === -1 ? text.length : feed;
    if (isOf(text, from, selector.name)) {
      const line = text.slice(from, Math.min(end, from + longestLine + 1));
      const sample = line.length > longestLine ? null : readSample(line, selector);
      if (sample === null) return null;
      if (sample.selected) {
        sum += sample.value;
        count++;
      }
    }
    from = end + 1;
  }
  return { sum, count };
}

/** The name goes no further. */
function isOf(text: string, at: number, name: string): boolean {
  return text.startsWith(name, at) && /[ \t{]/.test(text[at + name.length] ?? '');
}

function readSample(line: string, selector: MetricSelector): { value: number; selected: boolean } | null {
  const read = readLabels(line, selector.name.length);
  if (read === null) return null;
  // A timestamp may follow.
  const [, figure] = /^[ \t]*([-+.\dEe]+)(?:[ \t]+-?\d+)?[ \t\r]*$/.exec(line.slice(read.end)) ?? [];
  const selected = isSelected(read.labels, selector);
  const value = Number(figure);
  if (figure === undefined || !Number.isFinite(value)) return selected ? null : { value: 0, selected };
  return { value, selected };
}
