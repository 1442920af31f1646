import type { Router } from 'express';
import { problem } from '../../shared/problem.ts';
import { planFromFigures } from '../capacity/plan-from-figures.ts';
import { upgradeDocument } from '../database/upgrade-document.ts';
import { upgradeLabDocument } from '../database/upgrade-lab-document.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

/** The capacity of a load, from figures that were pasted or measured. */
export function capacity(router: Router, { control, lab }: AppParts): void {
  serve(router, 'capacity', async ({ body: { load, figures } }) => {
    const [grid, speed, run] = await Promise.all([
      figures.lab === null ? null : measured(figures.lab, 'handshakes'),
      figures.speed === null ? null : measured(figures.speed, 'speed'),
      figures.run === null ? null : finishedRun(figures.run),
    ]);
    return planFromFigures(load, { own: figures.own, grid, speed, run });
  });

  async function measured<Kind extends 'handshakes' | 'speed'>(id: string, kind: Kind) {
    const { text, final } = await lab.readDocument(id);
    const document = upgradeLabDocument(JSON.parse(text));
    const field = kind === 'speed' ? 'figures.speed' : 'figures.lab';
    if (!final) throw unusable(field, 'that measurement is not over yet');
    if (document.kind !== kind) {
      throw unusable(
        field,
        `that measurement is not one of ${kind === 'speed' ? 'primitives' : 'handshakes'}`,
      );
    }
    return document as Extract<typeof document, { kind: Kind }>;
  }

  async function finishedRun(id: string) {
    const { text } = await control.readDocument(id);
    const run = upgradeDocument(JSON.parse(text));
    if (run.state !== 'finished') throw unusable('figures.run', `that run is ${run.state}`);
    return run;
  }
}

function unusable(field: string, message: string) {
  return problem('invalid_request', { detail: `${field}: ${message}.`, errors: [{ field, message }] });
}
