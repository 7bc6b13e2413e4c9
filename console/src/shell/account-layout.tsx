import { Outlet } from '@tanstack/react-router'
import { layoutWords as words } from '../words'
import { type Section, Sections } from './sections'

const sections: Section[] = [
  { to: '/account', icon: 'person', name: words.sections.profile },
  { to: '/account/security', icon: 'lock', name: words.sections.security },
  { to: '/account/sessions', icon: 'laptop', name: words.sections.sessions },
  { to: '/account/apps', icon: 'apps', name: words.sections.apps },
  { to: '/account/teams', icon: 'people', name: words.sections.teams },
]

export function AccountLayout() {
  return (
    <Sections label={words.accountSections} sections={sections}>
      <Outlet />
    </Sections>
  )
}
