import type { FactorName } from '../../../shared/kinds/servers/servers.ts';
import type { Effect, ServersDocument } from '../../../shared/kinds/servers/servers-result.ts';
import { LongTable } from '../../components/long-table.tsx';
import { Section } from '../../components/section.tsx';
import { factorTitles } from '../../format/factor-words.ts';
import { printInterval } from '../../format/interval.ts';

type Row = { key: string; factor: FactorName; from: string; to: string; of: readonly Effect[] };

/** What each level changes over HTTPS, and in what HTTPS adds. */
export function EffectTable({ document: { effects } }: { document: Pick<ServersDocument, 'effects'> }) {
  if (effects.length === 0) return null;
  const groups = Map.groupBy(effects, ({ factor, from, to }) => `${factor} ${from} ${to}`);
  const rows = [...groups].flatMap(([key, of]): Row[] => {
    const [first] = of;
    return first === undefined ? [] : [{ key, factor: first.factor, from: first.from, to: first.to, of }];
  });
  return (
    <Section
      id="effects"
      title="What each factor changes"
      lead="Compares cells that differ only in this factor. Bold figures differ from 1 after Holm’s correction. Intervals are 95 % CI over the rounds."
      card
    >
      <LongTable
        first={20}
        what="effect"
        narrow="cards"
        caption="Effects of the factors"
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          {
            label: 'Factor',
            cell: ({ factor, from, to }) => `${factorTitles[factor]}: ${name(from)} → ${name(to)}`,
          },
          { label: 'Requests/s', numeric: true, cell: ({ of }) => cellOf(of, 'throughput', 'https') },
          { label: 'Server CPU at load', numeric: true, cell: ({ of }) => cellOf(of, 'cpu', 'https') },
          { label: 'CPU, HTTPS ÷ HTTP', numeric: true, cell: ({ of }) => cellOf(of, 'cpu', 'overhead') },
        ]}
      />
    </Section>
  );
}

function cellOf(effects: readonly Effect[], metric: Effect['metric'], view: Effect['view']) {
  const effect = effects.find((each) => each.metric === metric && each.view === view);
  if (effect === undefined) return '–';
  const text = `×${printInterval(effect.factorOf, 2)}`;
  return effect.certain ? <strong>{text}</strong> : text;
}

function name(level: string): string {
  if (level === 'true') return 'on';
  if (level === 'false') return 'off';
  return level === 'null' ? 'library’s choice' : level;
}
