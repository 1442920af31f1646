import type { SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { ChoicePills } from '../../components/choice-pills.tsx';
import { OverlaySection } from '../../components/overlay-section.tsx';
import { useAddress } from '../../components/use-address.ts';
import { OverlayFigure } from './overlay-figure.tsx';
import { OverlayTable } from './overlay-table.tsx';
import type { SizeQuantity } from './time-series.ts';

const quantities: readonly SizeQuantity[] = ['latency', 'cpu'];
const labels: Record<SizeQuantity, string> = { latency: 'Time', cpu: 'Server CPU' };

/** This sweep over another one of the same sizes. */
export function SizesOverlay({ document }: { document: SizesDocument }) {
  return (
    <OverlaySection document={document}>
      {(other) => <Overlay document={document} other={other} />}
    </OverlaySection>
  );
}

function Overlay({ document, other }: { document: SizesDocument; other: SizesDocument }) {
  const [what, setWhat] = useAddress<SizeQuantity>('change', quantities, 'latency');
  if (String(document.request.sizes) !== String(other.request.sizes)) {
    return <p>That sweep has other sizes. Choose one with the same sizes.</p>;
  }
  return (
    <>
      <ChoicePills
        legend="Change of"
        legendShown
        name="change"
        value={what}
        choices={quantities.map((value) => ({ value, label: labels[value] }))}
        onChange={setWhat}
      />
      <OverlayFigure later={document} earlier={other} what={what} />
      <OverlayTable later={document} earlier={other} what={what} />
    </>
  );
}
