import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { answerOf, inTeam, member } from '../api/client'
import type { Team } from '../api/contract'
import type { paths } from '../api/schema.gen'
import { teamsQuery } from '../features/organizations/queries'
import { userName } from '../features/users/user-name'
import m from '../messages/en/palette.json'
import { Icon, type IconName } from '../ui/icons/icon'
import { Monogram } from '../ui/values/monogram'
import styles from './palette.module.css'
import type { SectionGroup } from './sections'
import { useSelectedOption } from './use-selected-option'

interface Entry {
  id: string
  name: string
  detail?: string
  icon?: IconName
  /** of a user, a group or an application, which have a monogram instead of an icon */
  round?: boolean
  link: LinkProps
}

const searchQuery = (teamId: string, q: string) =>
  queryOptions({
    queryKey: [teamId, 'search', q],
    queryFn: () => answerOf(member.GET('/api/v1/search', { ...inTeam(teamId), params: { query: { q } } })),
  })

const LINES = {
  actionBody: styles.lines as string,
  actionLabel: styles.line as string,
  actionDescription: styles.line as string,
}

const LIST = 'palette-results'

/** Opens the palette, like its shortcut. */
export const openPalette = (): void => spotlight.open()

interface Props {
  /** the pages of the area, as its sidebar shows them */
  groups: SectionGroup[]
  /** absent outside of a team */
  team?: Team | undefined
  permissions?: string[] | undefined
}

/** Ctrl+K: pages, actions, and the users, groups and applications of the team that the user may read. */
export function Palette({ groups, team, permissions = [] }: Props) {
  const [query, setQuery] = useState('')
  const { list, selectedId } = useSelectedOption()
  const [searched] = useDebouncedValue(query.trim(), 150)
  const navigate = useNavigate()
  const found = useQuery({ ...searchQuery(team?.id ?? '', searched), enabled: team !== undefined && searched !== '' })
  const teams = useQuery(teamsQuery).data ?? []
  const wanted = query.trim().toLowerCase()
  const matches = ({ name }: Entry) => name.toLowerCase().includes(wanted)
  const otherTeams = teams.filter(({ id }) => id !== team?.id)
  const pages = [...groups.flatMap(pagesOf), ...otherTeams.map(teamEntry)].filter(matches)
  const actions = team ? actionsFor(team.slug, permissions).filter(matches) : []
  // Results of an earlier text would be opened by Enter.
  const isCurrent = searched === query.trim() && searched !== ''
  const isSearching = team !== undefined && query.trim() !== '' && (!isCurrent || found.isFetching)
  const hasFailed = isCurrent && found.isError && !found.isFetching
  const results = team && isCurrent && found.data ? resultsOf(team.slug, found.data) : []
  const parts = [...results, { name: m.pages(), entries: pages }, { name: m.actions(), entries: actions }].filter(
    ({ entries }) => entries.length > 0,
  )
  useEffect(() => {
    if (wanted !== '') selectFirst()
  })
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut="mod + K"
      size={560}
      centered={false}
      scrollable
      maxHeight="60vh"
      yOffset="12vh"
      overlayProps={{ blur: 0 }}
    >
      <Spotlight.Search
        onKeyDown={chooseFirst}
        placeholder={m.placeholder()}
        aria-label={m.open()}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={parts.length > 0}
        {...(parts.length > 0 && { 'aria-controls': LIST })}
        aria-activedescendant={selectedId}
        leftSection={<Icon name="search" />}
        classNames={{ input: styles.search as string }}
      />
      <Spotlight.ActionsList className={styles.list as string}>
        {parts.length > 0 && (
          <div role="listbox" id={LIST} aria-label={m.open()} ref={list}>
            {parts.map(({ name, entries }) => (
              <Spotlight.ActionsGroup key={name} label={name} role="group" aria-label={name}>
                {entries.map((entry) => (
                  <Spotlight.Action
                    key={entry.id}
                    role="option"
                    classNames={LINES}
                    label={entry.name}
                    {...(entry.detail !== undefined && { description: entry.detail })}
                    leftSection={
                      entry.icon ? (
                        <Icon name={entry.icon} />
                      ) : (
                        <Monogram of={entry.name} size={22} round={entry.round ?? false} />
                      )
                    }
                    onClick={() => navigate(entry.link as never)}
                  />
                ))}
              </Spotlight.ActionsGroup>
            ))}
          </div>
        )}
        {hasFailed && (
          <Spotlight.Empty role="alert" c="var(--mantine-color-error)">
            {m.failed()}
          </Spotlight.Empty>
        )}
        {parts.length === 0 && !hasFailed && (
          <Spotlight.Empty role="status">{isSearching ? m.searching() : m.nothing()}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

const SELECTED = '[data-action][data-selected]'
const firstEntry = () => document.querySelector<HTMLElement>('[data-action]')

/** Selects the first entry if none is selected: Mantine selects one when the query changes, before the results arrive. */
function selectFirst(): void {
  if (!document.querySelector(SELECTED)) firstEntry()?.setAttribute('data-selected', 'true')
}

/** Enter without a selected entry opens the first one. */
function chooseFirst({ key, nativeEvent }: KeyboardEvent): void {
  if (key === 'Enter' && !nativeEvent.isComposing && !document.querySelector(SELECTED)) firstEntry()?.click()
}

const pagesOf = ({ sections }: SectionGroup): Entry[] =>
  sections.map(({ to, params, name, icon }) => ({ id: `page ${to}`, name, icon, link: { to, params } as LinkProps }))

const teamEntry = ({ id, name, slug }: Team): Entry => ({
  id: `team ${id}`,
  name: m.team({ name }),
  icon: 'building',
  link: { to: '/t/$slug', params: { slug } },
})

function actionsFor(slug: string, permissions: string[]): Entry[] {
  const all: (Entry & { permission: string })[] = [
    {
      id: 'invite',
      name: m.inviteUsers(),
      icon: 'plus',
      permission: 'members:write',
      link: { to: '/t/$slug/users', params: { slug }, search: { new: 'invitation' } },
    },
    {
      id: 'group',
      name: m.createGroup(),
      icon: 'plus',
      permission: 'groups:write',
      link: { to: '/t/$slug/groups', params: { slug }, search: { new: 'group' } },
    },
    {
      id: 'application',
      name: m.createApplication(),
      icon: 'plus',
      permission: 'applications:write',
      link: { to: '/t/$slug/applications/new', params: { slug } },
    },
  ]
  return all.filter(({ permission }) => permissions.includes(permission))
}

type Found = paths['/api/v1/search']['get']['responses'][200]['content']['application/json']

function resultsOf(slug: string, { users = [], groups = [], applications = [] }: Found) {
  return [
    {
      name: m.users(),
      entries: users.map(
        (user): Entry => ({
          id: user.id,
          name: userName(user),
          detail: user.email,
          round: true,
          link: { to: '/t/$slug/users/$id', params: { slug, id: user.id } },
        }),
      ),
    },
    {
      name: m.groups(),
      entries: groups.map(
        ({ id, name }): Entry => ({ id, name, link: { to: '/t/$slug/groups/$id', params: { slug, id } } }),
      ),
    },
    {
      name: m.applications(),
      entries: applications.map(
        ({ id, name, clientId }): Entry => ({
          id,
          name,
          detail: clientId,
          link: { to: '/t/$slug/applications/$id', params: { slug, id } },
        }),
      ),
    },
  ]
}
