import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ScimRequest, ScimTokens } from '../../../api/contract'
import { Facts } from '../../../ui/facts'
import { Panel } from '../../../ui/panel'
import { RelativeTime } from '../../../ui/relative-time'
import stack from '../../../ui/stack.module.css'
import { scimWords as words } from '../../../words'
import { applicationsQuery } from '../../applications/queries'
import { useCurrentTeam } from '../../organizations/current-team'

/** More than these are looked for in their own list. */
const mostApplications = 5

interface Props {
  written: ScimTokens['written']
  last: ScimRequest | undefined
}

/** How much directories have written, and what to do with it. */
export function CamePanel({ written, last }: Props) {
  const { me } = useCurrentTeam()
  const { users, suspended, groups } = written
  return (
    <Panel title={words.came} about={words.cameAbout}>
      <div className={stack.parts}>
        <Facts
          facts={[
            { name: words.people, value: words.peopleCount(users, suspended) },
            { name: words.groups, value: words.groupCount(groups) },
            ...(last ? [{ name: words.lastRequest, value: <RelativeTime at={last.createdAt} /> }] : []),
          ]}
        />
        {users + groups === 0 && <p className={stack.dimmed}>{words.nothingCame}</p>}
        {users + groups > 0 && me.permissions.includes('applications:read') && <NextStep />}
      </div>
    </Panel>
  )
}

/** Who has come can sign in somewhere: where, and for whom it is open. */
function NextStep() {
  const { team, me } = useCurrentTeam()
  const applications = useQuery(applicationsQuery(team.id))
  const params = { slug: team.slug }
  if (!applications.data) return null
  const some = applications.data.slice(0, mostApplications)
  return (
    <section className={stack.tight}>
      <h3 className={stack.subtitle}>{words.next}</h3>
      <p className={stack.dimmed}>{some.length > 0 ? words.nextAbout : words.noApplicationsHere}</p>
      {some.length > 0 && (
        <ul className={stack.bullets}>
          {some.map(({ id, name, assignmentRequired }) => (
            <li key={id}>
              <Link to="/t/$slug/applications/$id/access" params={{ ...params, id }}>
                {words.accessOf(name)}
              </Link>
              : {assignmentRequired ? words.assignedOnly : words.openToAll}
            </li>
          ))}
        </ul>
      )}
      {applications.data.length > mostApplications && (
        <Link to="/t/$slug/applications" params={params}>
          {words.allApplications}
        </Link>
      )}
      {some.length === 0 && me.permissions.includes('applications:write') && (
        <Link to="/t/$slug/applications/new" params={params}>
          {words.addApplication}
        </Link>
      )}
    </section>
  )
}
