import { Card } from '../../../components/card.tsx';
import { Section } from '../../../components/section.tsx';
import classes from './block-log.module.css';
import type { LiveBlock } from './live-figures.ts';

/** Only the blocks that do not count, each with its sentence. */
export function BlockLog({ blocks }: { blocks: readonly LiveBlock[] }) {
  const dropped = blocks.filter((block) => block.dropped.length > 0);
  if (dropped.length === 0) return null;
  return (
    <Section id="dropped" title="Blocks left out so far">
      <Card>
        <ul className={classes.log}>
          {dropped.map(({ index, dropped: reasons }) => (
            <li key={index}>
              <strong>Block {index + 1}</strong> {reasons.join(' ')}
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}
