import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ScimRequest, ScimTokens } from '../../../api/contract'
import m from '../../../messages/en/scim.json'
import stack from '../../../ui/layout/stack.module.css'
import { DescriptionList } from '../../../ui/page/description-list'
import { Panel } from '../../../ui/page/panel'
import { RelativeTime } from '../../../ui/values/relative-time'
import { applicationsQuery } from '../../applications/queries'
import { useCurrentTeam } from '../../organizations/current-team'

/** Number of applications before the link to all. */
const mostApplications = 5

interface Props {
  written: ScimTokens['written']
  last: ScimRequest | undefined
}

/** The users and groups that directories provisioned, and the next step. */
export function ProvisionedPanel({ written, last }: Props) {
  const { me } = useCurrentTeam()
  const { users, suspended, groups } = written
  const userCount = [
    m.userCount({ count: users }),
    ...(suspended > 0 ? [m.deactivatedCount({ count: suspended })] : []),
  ].join(', ')
  return (
    <Panel title={m.provisioned()}>
      <div className={stack.parts}>
        <DescriptionList
          items={[
            { name: m.users(), value: userCount },
            { name: m.groups(), value: m.groupCount({ count: groups }) },
            ...(last ? [{ name: m.lastRequest(), value: <RelativeTime at={last.createdAt} /> }] : []),
          ]}
        />
        {users + groups === 0 && <p className={stack.dimmed}>{m.nothingProvisioned()}</p>}
        {users + groups > 0 && me.permissions.includes('applications:read') && <NextStep />}
      </div>
    </Panel>
  )
}

/** Links to the access of the applications. */
function NextStep() {
  const { team, me } = useCurrentTeam()
  const applications = useQuery(applicationsQuery(team.id))
  const params = { slug: team.slug }
  if (!applications.data) return null
  const some = applications.data.slice(0, mostApplications)
  return (
    <section className={stack.tight}>
      <h3 className={stack.subtitle}>{m.next()}</h3>
      {some.length === 0 && <p className={stack.dimmed}>{m.noApplications()}</p>}
      {some.length > 0 && (
        <ul className={stack.bullets}>
          {some.map(({ id, name, assignmentRequired }) => (
            <li key={id}>
              <Link to="/t/$slug/applications/$id/access" params={{ ...params, id }}>
                {m.accessOf({ name })}
              </Link>
              : {assignmentRequired ? m.assignedOnly() : m.openToAll()}
            </li>
          ))}
        </ul>
      )}
      {applications.data.length > mostApplications && (
        <Link to="/t/$slug/applications" params={params}>
          {m.allApplications()}
        </Link>
      )}
      {some.length === 0 && me.permissions.includes('applications:write') && (
        <Link to="/t/$slug/applications/new" params={params}>
          {m.createApplication()}
        </Link>
      )}
    </section>
  )
}
