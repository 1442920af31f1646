import { Component, type ReactNode } from 'react';

/** A drawing that cannot be loaded costs the drawing, not the page: its caption and its data stay. */
export class DrawingBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return <p role="status">The chart could not be loaded. Reload the page, or read its data below.</p>;
  }
}
