import type { AnyKind } from '../../../kinds/kind.ts';

/** The permalink of a measurement, without the host. */
export function addressOf<House>({ page }: AnyKind<House>, id: string): string {
  return `/${page}/${id}`;
}
