import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { BrowserRouter } from 'react-router';
import { Look } from './look.tsx';
import { Screens } from './screens.tsx';

export function App({ queryClient }: { queryClient: QueryClient }) {
  return (
    <Look>
      <QueryClientProvider client={queryClient}>
        {/* A radio button that lives in the address must move at once, not in a transition. */}
        <BrowserRouter useTransitions={false}>
          <Screens />
        </BrowserRouter>
      </QueryClientProvider>
    </Look>
  );
}
