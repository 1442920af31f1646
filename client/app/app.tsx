import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { BrowserRouter } from 'react-router';
import { createQueryClient } from './query-client.ts';
import { Screens } from './screens.tsx';
import { resolveVariables, theme } from './theme.ts';

const queryClient = createQueryClient();

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        {/* A radio button that lives in the address must move at once, not in a transition. */}
        <BrowserRouter useTransitions={false}>
          <Screens />
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  );
}
