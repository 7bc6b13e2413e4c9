import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Team } from '../api/contract'
import { boot } from '../boot'
import { meInTeamQuery, meQuery } from '../features/account/profile/queries'
import { tabsFor } from '../features/directory/tabs'
import { teamsQuery } from '../features/organizations/queries'
import auditRetention from '../messages/en/audit-retention.json'
import home from '../messages/en/home.json'
import mails from '../messages/en/mails.json'
import m from '../messages/en/navigation.json'
import teamSettings from '../messages/en/team-settings.json'
import { type Counts, useCounts } from './counts'
import type { SectionGroup } from './sections'

const accountGroups: SectionGroup[] = [
  { sections: [{ to: '/home', icon: 'home', name: home.home() }] },
  {
    name: m.account(),
    sections: [
      { to: '/account', icon: 'user', name: m.profile() },
      { to: '/account/security', icon: 'shieldLock', name: m.security() },
      { to: '/account/sessions', icon: 'devices', name: m.sessions() },
      { to: '/account/apps', icon: 'plug', name: m.ownApplications() },
      { to: '/account/teams', icon: 'group', name: m.teams() },
    ],
  },
]

interface Area {
  label: string
  groups: SectionGroup[]
  team?: Team | undefined
  permissions?: string[] | undefined
}

/** The area that the URL names: a team or the own account. */
export function useArea(): Area {
  const { slug } = useParams({ strict: false })
  const teams = useQuery({ ...teamsQuery, enabled: slug !== undefined }).data
  const team = teams?.find((one) => one.slug === slug)
  const me = useQuery({ ...meInTeamQuery(team?.id ?? ''), enabled: team !== undefined }).data
  const counts = useCounts(team?.id, me?.permissions ?? [])
  const instance = useInstanceGroups()
  // A page of a team that does not exist keeps the navigation of the account.
  const noSuchTeam = teams !== undefined && team === undefined
  if (slug === undefined || noSuchTeam) return { label: m.accountPages(), groups: [...accountGroups, ...instance] }
  const groups = me ? [...groupsFor(slug, me.permissions, counts), ...instance] : []
  return { label: m.teamPages(), groups, team, permissions: me?.permissions }
}

/** The sections for administrators of a local instance. */
function useInstanceGroups(): SectionGroup[] {
  const isAdmin = useQuery({ ...meQuery, enabled: boot.mail.readable }).data?.instanceAdmin === true
  if (!isAdmin) return []
  return [
    { name: mails.instance(), sections: [{ to: '/instance/mails', icon: 'mail', name: mails.title(), exact: false }] },
  ]
}

/** The sections of a team that these permissions can read. */
function groupsFor(slug: string, permissions: string[], counts: Counts): SectionGroup[] {
  const params = { slug }
  const can = (permission: string) => permissions.includes(permission)
  const [firstTab] = tabsFor(permissions)
  return [
    { sections: [{ to: '/t/$slug', params, icon: 'dashboard', name: m.overview() }] },
    {
      name: m.people(),
      sections: [
        ...(can('users:read')
          ? [
              {
                to: '/t/$slug/users',
                params,
                icon: 'users',
                name: m.users(),
                count: counts.users,
                exact: false,
              } as const,
            ]
          : []),
        ...(can('groups:read')
          ? [
              {
                to: '/t/$slug/groups',
                params,
                icon: 'group',
                name: m.groups(),
                count: counts.groups,
                exact: false,
              } as const,
            ]
          : []),
        ...(can('members:read')
          ? [
              {
                to: '/t/$slug/invitations',
                params,
                icon: 'mail',
                name: m.invitations(),
                count: counts.invitations,
              } as const,
            ]
          : []),
        ...(can('users:read') ? [{ to: '/t/$slug/roles', params, icon: 'shield', name: m.roles() } as const] : []),
      ],
    },
    {
      name: m.applications(),
      sections: can('applications:read')
        ? [{ to: '/t/$slug/applications', params, icon: 'apps', name: m.applications(), exact: false }]
        : [],
    },
    {
      name: m.identitySources(),
      sections: [
        ...(can('sso:read')
          ? [{ to: '/t/$slug/sso', params, icon: 'key', name: m.singleSignOn(), exact: false } as const]
          : []),
        ...(firstTab
          ? [{ to: firstTab.to, params, icon: 'refresh', name: m.directorySync(), exact: false } as const]
          : []),
      ],
    },
    {
      name: teamSettings.settings(),
      sections: [
        ...(can('org:read')
          ? [{ to: '/t/$slug/settings', params, icon: 'building', name: teamSettings.team() } as const]
          : []),
        ...(can('audit:read')
          ? [
              {
                to: '/t/$slug/settings/audit-retention',
                params,
                icon: 'archive',
                name: auditRetention.title(),
              } as const,
            ]
          : []),
      ],
    },
  ]
}
