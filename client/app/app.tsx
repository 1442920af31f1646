import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { BrowserRouter } from 'react-router';
import { Screens } from './screens.tsx';
import { look } from './theme.ts';

export function App({ queryClient }: { queryClient: QueryClient }) {
  return (
    <MantineProvider {...look}>
      <QueryClientProvider client={queryClient}>
        {/* A radio button that lives in the address must move at once, not in a transition. */}
        <BrowserRouter useTransitions={false}>
          <Screens />
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  );
}
