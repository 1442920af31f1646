import { Component, type ReactNode } from 'react';
import { MissingPage } from '../features/missing/missing-page.tsx';

type Props = { children: ReactNode };
type State = { error: unknown };

/** The one place where what a screen cannot show becomes a page: deleted, unknown and newer runs, a silent server, our own mistakes. */
export class ProblemBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render() {
    return this.state.error === null ? this.props.children : <MissingPage error={this.state.error} />;
  }
}
