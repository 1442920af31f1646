import { printNumber } from '../../../../shared/base/quantity.ts';
import type { MeasuredCell } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { Section } from '../../../components/section.tsx';
import { lookOfLine, mostLines } from '../line-look.ts';
import { LinesFigure } from '../lines-figure.tsx';
import { bytesLines } from './bytes-lines.ts';

export function BytesFigure({ cells }: { cells: readonly MeasuredCell[] }) {
  const { lines, caption, leftOut } = bytesLines(cells, mostLines);
  if (lines.length === 0) return null;
  return (
    <Section id="bytes" title="CPU by payload" lead={leftOut} card>
      <LinesFigure
        label="CPU by bytes each way"
        caption={caption}
        lines={lines.map(({ label, points }, index) => ({ ...lookOfLine(label, index), points }))}
        x="Bytes each way"
        y="µs of CPU, both ends"
        table={{
          caption: 'CPU of a full connection in µs, by bytes each way',
          head: 'Connection',
          unit: 'B',
        }}
        print={(us) => printNumber(us, 0)}
      />
    </Section>
  );
}
