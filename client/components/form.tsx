import type { ComponentProps } from 'react';

type Props = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => void };

/** A form whose page sends it and stays open. */
export function Form({ onSubmit, ...form }: Props) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}
