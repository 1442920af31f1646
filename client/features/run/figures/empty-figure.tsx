import { Notice } from '../../../components/notice.tsx';

export function EmptyFigure({ children }: { children: string }) {
  return (
    <Notice tone="quiet">
      <p>{children}</p>
    </Notice>
  );
}
