import { type BySide, sideNames } from '../../../../shared/base/transport.ts';
import type { ExplainDocument } from '../../../../shared/kinds/explain/explain.ts';
import { sideTitle } from '../../../../shared/kinds/explain/explain-sentence.ts';

/**
 * Folded stacks with two columns, ns a request of the baseline and of the comparison, as `difffolded.pl` writes them and `flamegraph.pl` reads them
 * (https://github.com/brendangregg/FlameGraph).
 */
export function printFolded(document: ExplainDocument): string {
  const lines = [...stackCosts(document)].map(([stack, us]) => {
    const columns = sideNames.map((side) => Math.round(1000 * us[side]));
    return `${stack} ${columns.join(' ')}\n`;
  });
  return lines.join('');
}

/** A profile of each side, in µs a request (https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources). */
export function printSpeedscope(document: ExplainDocument): string {
  const costs = [...stackCosts(document)].map(([stack, us]) => ({ frames: stack.split(';'), us }));
  const names = [...new Set(costs.flatMap(({ frames }) => frames))];
  const indexOf = new Map(names.map((name, index) => [name, index]));
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    name: `TLS Toll ${document.id}`,
    exporter: 'TLS Toll',
    shared: { frames: names.map((name) => ({ name })) },
    profiles: sideNames.map((side) => {
      const own = costs.filter(({ us }) => us[side] > 0);
      return {
        ...{ type: 'sampled', name: sideTitle(side, document.request), unit: 'microseconds' },
        ...{ startValue: 0, endValue: own.reduce((sum, { us }) => sum + us[side], 0) },
        samples: own.map(({ frames }) => frames.map((name) => indexOf.get(name))),
        weights: own.map(({ us }) => us[side]),
      };
    }),
  });
}

/** Each stack with what a request spends in it on both sides, µs. */
function stackCosts({ stacks, samples, cpuUs }: ExplainDocument): Map<string, BySide<number>> {
  const costs = new Map<string, BySide<number>>();
  for (const side of sideNames) {
    const sampleUs = (cpuUs?.[side].center ?? 0) / Math.max(1, samples[side]);
    for (const each of stacks[side]) {
      const known = costs.get(each.stack) ?? { baseline: 0, comparison: 0 };
      known[side] += each.samples * sampleUs;
      costs.set(each.stack, known);
    }
  }
  return costs;
}
