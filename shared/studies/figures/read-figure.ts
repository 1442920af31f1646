import type { MeasurementDocument } from '../../measurement/kinds.ts';
import type { Figure, Read } from './figure.ts';
import { readComparison } from './read-comparison.ts';
import { readHandshakes } from './read-handshakes.ts';
import { readDistance, readMesh, readVisits } from './read-others.ts';
import { readServers } from './read-servers.ts';
import { readSizes } from './read-sizes.ts';
import { readSpeed } from './read-speed.ts';

/** The figure of any finished document. */
export function readFigure(figure: Figure, document: MeasurementDocument): Read {
  if (figure.kind === 'comparison' && document.kind === 'comparison') return readComparison(figure, document);
  if (figure.kind === 'speed' && document.kind === 'speed') return readSpeed(figure, document);
  if (figure.kind === 'handshakes' && document.kind === 'handshakes') return readHandshakes(figure, document);
  if (figure.kind === 'sizes' && document.kind === 'sizes') return readSizes(figure, document);
  if (figure.kind === 'servers' && document.kind === 'servers') return readServers(figure, document);
  if (figure.kind === 'distance' && document.kind === 'distance') return readDistance(document);
  if (figure.kind === 'visits' && document.kind === 'visits') return readVisits(document);
  if (figure.kind === 'mesh' && document.kind === 'mesh') return readMesh(figure, document);
  throw new Error(`a ${figure.kind} figure of a ${document.kind} document`);
}
