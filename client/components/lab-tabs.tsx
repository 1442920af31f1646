import { NavLink } from 'react-router';
import { mayCall } from '../api/identity.ts';
import classes from './lab-tabs.module.css';

const tabs = [
  { to: '/lab', label: 'Handshakes', access: 'reader' },
  { to: '/lab/speed', label: 'Speed', access: 'reader' },
  { to: '/lab/distance', label: 'Distance', access: 'reader' },
  { to: '/lab/mesh', label: 'Mesh', access: 'reader' },
  { to: '/lab/explain', label: 'Explain', access: 'reader' },
  { to: '/lab/visits', label: 'Visits', access: 'reader' },
  { to: '/lab/sizes', label: 'Sizes', access: 'reader' },
  { to: '/lab/servers', label: 'Servers', access: 'reader' },
  { to: '/lab/probe', label: 'Probe', access: 'operator' },
  { to: '/lab/capacity', label: 'Capacity', access: 'reader' },
] as const;

/** The pages of the lab, above the title of each. */
export function LabTabs() {
  return (
    <nav className={classes.tabs} aria-label="Lab">
      {tabs.filter(mayCall).map(({ to, label }) => (
        <NavLink key={to} to={to} end>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
