import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { answerOf, inTeam, member } from '../../api/client'
import m from '../../messages/en/role-table.json'
import roles from '../../messages/en/roles.json'
import { Icon } from '../../ui/icons/icon'
import { LoadError } from '../../ui/page/load-error'
import { Page } from '../../ui/page/page'
import { RowsLoading } from '../../ui/page/rows-loading'
import { useCurrentTeam } from '../organizations/current-team'
import { permissionAreas } from './permission-areas'
import styles from './roles-page.module.css'

const permissionsQuery = (teamId: string) =>
  queryOptions({
    queryKey: [teamId, 'permissions'],
    queryFn: () => answerOf(member.GET('/api/v1/permissions', inTeam(teamId))),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The number of users with a role. */
const usersWithRoleQuery = (teamId: string, roleExact: string) =>
  queryOptions({
    queryKey: [teamId, 'users', 'list', 'count', roleExact],
    queryFn: () =>
      answerOf(member.GET('/api/v1/users', { ...inTeam(teamId), params: { query: { roleExact, limit: 1 } } })).then(
        ({ total }) => total,
      ),
    staleTime: 60_000,
  })

interface Role {
  role: string
  permissions: string[]
}

const route = getRouteApi('/signed-in/t/$slug/roles')

/** The roles of the team, and beside them what the chosen one may do. Small screens show one after the other. */
export function RolesPage() {
  const { team, me } = useCurrentTeam()
  const table = useQuery(permissionsQuery(team.id))
  const all = table.data?.roles ?? []
  const wanted = route.useSearch().role
  const chosen = all.find(({ role }) => role === wanted)?.role
  const enabled = me.permissions.includes('users:read')
  const counts = useQueries({ queries: all.map(({ role }) => ({ ...usersWithRoleQuery(team.id, role), enabled })) })
  const current = all.find(({ role }) => role === (chosen ?? me.team.roleExact)) ?? all[0]
  const list = useRef<HTMLUListElement>(null)
  const before = useRef(chosen)
  // Where the list replaces the role, the link that opened the list is hidden and has lost the focus.
  useEffect(() => {
    const closed = before.current
    before.current = chosen
    if (closed === undefined || chosen !== undefined) return
    const active = document.activeElement
    if (active instanceof HTMLElement && active !== document.body && active.offsetParent) return
    list.current?.querySelector<HTMLElement>(`[data-role="${closed}"]`)?.focus()
  }, [chosen])
  // Permissions that no route requires do nothing yet.
  const required = new Set(table.data?.routes.map(({ permission }) => permission))
  return (
    <Page title={m.title()}>
      {table.isError && <LoadError error={table.error} retry={() => table.refetch()} />}
      {table.isPending && <RowsLoading rows={8} height={56} />}
      {current && (
        <div className={styles.split} data-chosen={chosen !== undefined || undefined}>
          <nav className={styles.card} aria-label={m.title()}>
            <ul ref={list} className={styles.list}>
              {all.map(({ role }, index) => (
                <li key={role}>
                  <Link
                    to="/t/$slug/roles"
                    params={{ slug: team.slug }}
                    search={{ role }}
                    className={styles.role}
                    data-role={role}
                    aria-current={role === current.role ? 'page' : undefined}
                  >
                    <span className={styles.name}>{roles.name({ role })}</span>
                    <span className={styles.count}>{usersText(counts[index]?.data)}</span>
                    <span className={styles.about}>{m.about({ role })}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <Details
            role={current}
            count={counts[all.indexOf(current)]?.data}
            granted={current.permissions.filter((permission) => required.has(permission))}
          />
        </div>
      )}
    </Page>
  )
}

/** Nothing while the number is unknown. */
const usersText = (count: number | undefined) => count !== undefined && m.users({ count })

interface DetailsProps {
  role: Role
  /** of users */
  count: number | undefined
  /** the permissions to list */
  granted: string[]
}

function Details({ role: { role }, count, granted }: DetailsProps) {
  const { team } = useCurrentTeam()
  const back = useRef<HTMLAnchorElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(true)
  // Where the role replaces the list, the link that opened it is hidden and has lost the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each role.
  useEffect(() => {
    if (!isFirst.current && back.current?.offsetParent) heading.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [role])
  return (
    <section className={`${styles.card} ${styles.details}`} aria-label={roles.name({ role })}>
      <Link ref={back} to="/t/$slug/roles" params={{ slug: team.slug }} search={{}} className={styles.back}>
        <Icon name="arrowLeft" />
        {m.allRoles()}
      </Link>
      <h2 ref={heading} tabIndex={-1} className={styles.title}>
        {roles.name({ role })}
      </h2>
      <p className={styles.lead}>{m.about({ role })}</p>
      {count === 0 && <p className={styles.lead}>{usersText(count)}</p>}
      {count !== undefined && count > 0 && (
        <p className={styles.lead}>
          <Link to="/t/$slug/users" params={{ slug: team.slug }} search={{ roleExact: role }}>
            {usersText(count)}
          </Link>
        </p>
      )}
      {permissionAreas(granted).map(({ area, permissions }) => (
        <section key={area} className={styles.area}>
          <h3 className={styles.areaName}>{m.area({ area })}</h3>
          <ul className={styles.permissions}>
            {permissions.map((permission) => (
              <li key={permission}>
                <Icon name="check" />
                <span>{m.permission({ permission: permission.replace(/[:-]/g, '_') })}</span>
                <code>{permission}</code>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}
