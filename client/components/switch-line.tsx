import classes from './form.module.css';

type Props = { label: string; detail?: string; checked: boolean; onChange: (checked: boolean) => void };

export function SwitchLine({ label, detail, checked, onChange }: Props) {
  return (
    <label className={classes.line}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        <span className={classes.label}>{label}</span>
        {detail === undefined ? null : <span className={classes.detail}>{detail}</span>}
      </span>
    </label>
  );
}
