import { NavLink } from 'react-router';
import { labPages } from '../../shared/measurement/kind-names.ts';
import { mayCall } from '../api/identity.ts';
import classes from './page.module.css';

const tabs = [
  ...labPages.map(({ path, tab }) => ({ path, tab, access: 'reader' as const })),
  { path: '/lab/probe', tab: 'Probe', access: 'operator' as const },
  { path: '/lab/capacity', tab: 'Capacity', access: 'reader' as const },
];

export function LabTabs() {
  return (
    <nav className={classes.tabs} aria-label="Lab">
      {tabs.filter(mayCall).map(({ path, tab }) => (
        <NavLink key={path} to={path} end>
          {tab}
        </NavLink>
      ))}
    </nav>
  );
}
