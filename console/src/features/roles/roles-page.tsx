import { queryOptions, useQuery } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../api/client'
import m from '../../messages/en/role-table.json'
import roles from '../../messages/en/roles.json'
import hidden from '../../ui/hidden.module.css'
import { Icon } from '../../ui/icons/icon'
import { LoadError } from '../../ui/load-error'
import { Page } from '../../ui/page'
import { RowsLoading } from '../../ui/rows-loading'
import { useCurrentTeam } from '../organizations/current-team'
import styles from './roles-page.module.css'

const permissionsQuery = (teamId: string) =>
  queryOptions({
    queryKey: [teamId, 'permissions'],
    queryFn: () => answerOf(member.GET('/api/v1/permissions', inTeam(teamId))),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The permissions of each role, without those that no route requires. */
export function RolesPage() {
  const { team } = useCurrentTeam()
  const table = useQuery(permissionsQuery(team.id))
  const required = new Set(table.data?.routes.map(({ permission }) => permission))
  const permissions = table.data?.permissions.filter((permission) => required.has(permission)) ?? []
  return (
    <Page title={m.title()}>
      {table.isError && <LoadError error={table.error} retry={() => table.refetch()} />}
      {table.isPending && <RowsLoading rows={8} height={36} />}
      {table.data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        <section className={styles.scroll} aria-label={m.permissions()} tabIndex={0}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{m.permission()}</th>
                {table.data.roles.map(({ role }) => (
                  <th key={role} scope="col" title={m.about({ role })}>
                    {roles.name({ role })}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {permissions.map((permission) => (
                <tr key={permission}>
                  <th scope="row">
                    <code>{permission}</code>
                  </th>
                  {table.data.roles.map(({ role, permissions: granted }) => (
                    <td key={role}>
                      {granted.includes(permission) ? (
                        <>
                          <Icon name="check" size={16} />
                          <span className={hidden.hidden}>{m.yes()}</span>
                        </>
                      ) : (
                        <span className={hidden.hidden}>{m.no()}</span>
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Page>
  )
}
