import { NavLink } from 'react-router';
import { mayCall } from '../api/identity.ts';
import classes from './lab-tabs.module.css';

const tabs = [
  { to: '/lab', label: 'Handshakes', access: 'reader' },
  { to: '/lab/speed', label: 'Speed', access: 'reader' },
  { to: '/lab/probe', label: 'Probe', access: 'operator' },
  { to: '/lab/capacity', label: 'Capacity', access: 'reader' },
] as const;

/** The pages of the TLS lab, above the title of each. */
export function LabTabs() {
  return (
    <nav className={classes.tabs} aria-label="TLS lab">
      {tabs.filter(mayCall).map(({ to, label }) => (
        <NavLink key={to} to={to} end>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
