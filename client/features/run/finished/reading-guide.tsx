import { Card } from '../../../components/card.tsx';
import classes from './reading-guide.module.css';

export function ReadingGuide() {
  return (
    <Card>
      <div className={classes.guide}>
        <h3 id="how-to-read">How to read the numbers</h3>
        <dl>
          <dt>Block</dt>
          <dd>
            Every side is measured in short turns, called slots. A block holds two slots of each side in
            mirrored random order, so a machine that slowly gets faster or slower pushes both sides alike.
            Only differences within a block are used.
          </dd>
          <dt>95 % interval</dt>
          <dd>
            Where the true shift lies, as far as these blocks can tell: of a hundred such intervals about 95
            hold it. A narrow interval is a precise answer, a wide one asks for a longer run. It comes from
            the ranks of the block differences (Hodges-Lehmann centre, exact Wilcoxon interval), so one odd
            block cannot carry it away.
          </dd>
          <dt>Null arm and noise floor</dt>
          <dd>
            A twin of the first side, identical in everything, is measured in the same blocks. What the twin
            differs by cannot be TLS: it is noise. The noise floor is that width, never less than 1 %. No
            difference below it is called real.
          </dd>
          <dt>Overhead</dt>
          <dd>
            The interval leaves out zero and its centre lies above the noise floor. It is negative when the
            second side does better; then look for another HTTP version, compression or a cache on one side.
          </dd>
          <dt>No overhead</dt>
          <dd>
            The centre lies within the noise floor and the interval is narrow: if there is a cost, it is no
            larger than the far end of the interval.
          </dd>
          <dt>Inconclusive</dt>
          <dd>
            Neither of the two: the blocks allow both a cost and none. A longer plan narrows the interval.
          </dd>
          <dt>Refused</dt>
          <dd>
            The number would mislead, such as a throughput that the load generator limited. The reason stands
            beside it.
          </dd>
          <dt>Steady and maximum</dt>
          <dd>
            CPU, latency and bytes are compared at the same arrival rate on both sides, half of what the
            slower one can take; throughput with every side as fast as it can.
          </dd>
        </dl>
      </div>
    </Card>
  );
}
