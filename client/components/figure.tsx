import { Component, type ReactNode, Suspense } from 'react';
import classes from './figure.module.css';

type Props = {
  /** The finding, in words. */
  caption: ReactNode;
  /** What bars, whiskers, lines and bands stand for. */
  marks?: string | undefined;
  legend?: ReactNode;
  /** The drawing; may load late, its room is kept. */
  children: ReactNode;
  table: ReactNode;
  /** In pixels; null for a drawing that has a height of its own. */
  height?: number | null | undefined;
};

export function Figure({ caption, marks, legend, children, table, height = 320 }: Props) {
  return (
    <figure className="stack snug">
      <figcaption className={classes.caption}>
        {caption}
        {marks === undefined ? null : <span className={classes.marks}> {marks}</span>}
      </figcaption>
      {legend}
      <div className={classes.figureDrawing} style={height === null ? undefined : { height }}>
        <DrawingBoundary>
          <Suspense fallback={null}>{children}</Suspense>
        </DrawingBoundary>
      </div>
      <details className={classes.details}>
        <summary>Show data</summary>
        <div className={classes.table}>{table}</div>
      </details>
    </figure>
  );
}

/** A drawing that cannot be loaded costs the drawing, not the page: its caption and its data stay. */
class DrawingBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return <p role="status">The chart could not be loaded. Reload the page, or read its data below.</p>;
  }
}
