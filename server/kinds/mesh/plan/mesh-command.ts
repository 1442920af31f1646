import { flagsOf } from '../../../../shared/base/option-flag.ts';
import type { MeshRequest } from '../../../../shared/kinds/mesh/mesh.ts';
import { meshOptions } from '../../../../shared/kinds/mesh/options.ts';

/** The command that repeats a measurement: the same bursts in the same order. */
export function meshCommand(request: MeshRequest, seed: number): string {
  return ['npx tls-toll mesh', ...flagsOf(meshOptions, { ...request, seed })].join(' ');
}
