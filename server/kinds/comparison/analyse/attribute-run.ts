import { type ProblemError, problem } from '../../../../shared/base/problem.ts';
import { isEncrypted, pairOf } from '../../../../shared/base/transport.ts';
import type { Attribution } from '../../../../shared/kinds/comparison/attribution.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import { metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import type { Slot } from '../../../../shared/kinds/comparison/slot.ts';
import {
  type HandshakesDocument,
  type HandshakesRequest,
  handshakesRequestSchema,
  type MeasuredCell,
  type Resumption,
} from '../../../../shared/kinds/handshakes/handshakes.ts';
import { measuredOf } from '../../../../shared/kinds/handshakes/handshakes-sentence.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import { attributeDelta } from '../../../method/statistics/attribute-delta.ts';
import { byteCost, serverCost } from '../../../method/statistics/handshake-cost.ts';
import { soundBlocksOf } from './metric-blocks.ts';

/**
 * From a run to the lab and back: the grid that measures the pieces of what the run negotiated, and the run's difference
 * split by what they cost.
 */

const fewBytes = 1;
const manyBytes = 102_400;
const connections = 480;

/** Throws not_attributable, with the reason. */
export function handshakesRequestOf(run: RunDocument): HandshakesRequest {
  const { negotiated, handshakes } = run.tls.comparison;
  if (deltaOf(run) === null) throw refusal('The run did not measure a difference in server CPU at load.');
  const [baseline, comparison] = pairOf(run.sides);
  if (isEncrypted(baseline) || !isEncrypted(comparison)) {
    throw refusal('The run does not compare an encrypted side with an unencrypted one.');
  }
  if (negotiated === null || negotiated.key === null) {
    throw refusal('The run does not record what its handshakes negotiated.');
  }
  return {
    kind: 'handshakes',
    grid: {
      versions: [negotiated.protocol],
      ciphers: [negotiated.cipher],
      keys: [negotiated.key.replace(/^EC /, '')],
      // Of some suites nobody tells the group, others have none: then the plan takes what fits.
      ...(negotiated.group === null ? {} : { groups: [negotiated.group] }),
      bytes: [fewBytes, manyBytes],
      resumption: handshakes.resumed > 0 ? ['full', 'resumed'] : ['full'],
    },
    legacy: false,
    connections,
  };
}

/** Throws not_attributable when the lab has not measured what the run needs. */
export function attribute(run: RunDocument, lab: HandshakesDocument): Attribution {
  const delta = deltaOf(run);
  if (delta === null) throw refusal('The run did not measure a difference in server CPU at load.');
  if (gridIn(lab.request) !== gridIn(handshakesRequestOf(run))) {
    throw refusal('The lab measured different handshakes than the run.');
  }
  const needs = needsOf(run);
  const full = handshakeCost(lab, 'full');
  const resumed = needs.resumedPerTransaction > 0 ? handshakeCost(lab, 'resumed') : null;
  const bulk = bulkCost(lab);
  if (full === null || bulk === null || (resumed === null && needs.resumedPerTransaction > 0)) {
    throw refusal(`The lab measurement is ${lab.state} and lacks a required part.`);
  }
  const attributed = attributeDelta({
    deltaUs: delta,
    ...needs,
    fullUs: full,
    resumedUs: resumed,
    bulkUsPerByte: bulk,
  });
  return { run: run.id, handshakes: lab.id, delta, ...attributed, notes: notesOf(run, lab) };
}

/** Whichever axis is named first. */
function gridIn(request: HandshakesRequest): string {
  return JSON.stringify(handshakesRequestSchema.parse(request).grid);
}

function deltaOf({ metrics }: RunDocument): Estimate | null {
  return metrics.find(({ id }) => id === 'cpu_at_load')?.delta ?? null;
}

/** Of one transaction, over the blocks at load, which its CPU is read from. */
function needsOf({ blocks }: RunDocument) {
  const slots = soundBlocksOf(metricOf('cpu_at_load'), blocks).flatMap((block) =>
    block.slots.filter(({ arm }) => arm === 'comparison'),
  );
  const total = (read: (load: Slot['load']) => number) =>
    slots.reduce((sum, { load }) => sum + read(load), 0);
  const transactions = total(({ succeeded }) => succeeded);
  return {
    fullPerTransaction: total(({ handshakesFull }) => handshakesFull) / transactions,
    resumedPerTransaction: total(({ handshakesResumed }) => handshakesResumed) / transactions,
    bytesPerTransaction:
      total(({ wireBytesRead, wireBytesWritten }) => wireBytesRead + wireBytesWritten) / transactions,
  };
}

function handshakeCost(lab: HandshakesDocument, resumption: Resumption): Estimate | null {
  const cell = cellOf(lab, resumption, fewBytes);
  return cell === null ? null : serverCost(lab, cell);
}

function bulkCost(lab: HandshakesDocument): Estimate | null {
  const [few, many] = [cellOf(lab, 'full', fewBytes), cellOf(lab, 'full', manyBytes)];
  return few === null || many === null ? null : byteCost(lab, few, many);
}

function cellOf({ cells }: HandshakesDocument, resumption: Resumption, bytes: number): MeasuredCell | null {
  return measuredOf(cells).find(({ cell }) => cell.resumption === resumption && cell.bytes === bytes) ?? null;
}

function notesOf(run: RunDocument, lab: HandshakesDocument): string[] {
  const [first] = measuredOf(lab.cells);
  const sameMachine =
    run.environment.cpuModel === lab.environment.cpuModel &&
    run.environment.openssl === lab.environment.openssl;
  return [
    ...(factsOf(run.target).ourTlsLibrary
      ? []
      : [
          'The target uses its own TLS library, but the lab measures the one in TLS Toll. The split is a guide.',
        ]),
    ...(run.tls.comparison.negotiated?.group === null && first !== undefined && first.cell.group !== null
      ? [`The run does not record its key agreement group, so the lab used ${first.cell.group}.`]
      : []),
    ...(sameMachine ? [] : ['The lab and the run used different machines or versions of OpenSSL.']),
  ];
}

function refusal(detail: string): ProblemError {
  return problem('not_attributable', detail);
}
