import { MeasurementPage } from '../features/measurement/measurement-page.tsx';
import { kinds } from './kinds.ts';

export default function MeasurementScreen() {
  return <MeasurementPage views={kinds} />;
}
