import { printOption } from '../../shared/base/option.ts';
import { factorTable } from '../../shared/kinds/servers/options.ts';
import type { CellSettings, FactorName } from '../../shared/kinds/servers/servers-result.ts';

/** How screens call the factors, in the order of a table. */
export const factorTitles = Object.fromEntries(
  Object.entries(factorTable).map(([factor, { label }]) => [factor, label]),
) as Record<FactorName, string>;

export function printLevel<Name extends FactorName>(factor: Name, level: CellSettings[Name]): string {
  const printed = printOption(factorTable[factor], level);
  if (factor !== 'concurrency') return printed;
  return `${printed} ${level === 1 ? 'connection' : 'connections'}`;
}

/** Factors that differ between cells. */
export function varying(cells: readonly { settings: CellSettings }[]): FactorName[] {
  const [first] = cells;
  return (Object.keys(factorTitles) as FactorName[]).filter((factor) =>
    cells.some(({ settings }) => settings[factor] !== first?.settings[factor]),
  );
}
