import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Me, Team } from '../../api/contract'
import { type Check, CheckList } from '../../design/check-list'
import { Panel } from '../../design/panel'
import { teamWords } from '../../words'
import { applicationsQuery } from '../applications/queries'
import { providersQuery } from '../sso/queries'

const words = teamWords.steps

/** What is done and what can be done today; what cannot yet is said, not linked. */
export function NextSteps({ team, me }: { team: Team; me: Me }) {
  const checks: Check[] = [{ state: 'good', title: words.team, text: words.teamText }]
  if (!me.emailVerified) {
    checks.push({
      state: 'attention',
      title: words.address,
      text: words.addressText,
      action: <Link to="/account">{words.addressAction}</Link>,
    })
  }
  if (!me.hasPassword) {
    checks.push({
      state: 'open',
      title: words.password,
      text: words.passwordText,
      action: <Link to="/account/security">{words.passwordAction}</Link>,
    })
  }
  const { permissions } = me
  const applications = useQuery({
    ...applicationsQuery(team.id),
    enabled: permissions.includes('applications:read'),
  }).data
  if (applications && applications.length > 0) {
    checks.push({
      state: 'good',
      title: words.applications(applications.length),
      text: words.applicationsText,
      action: (
        <Link to="/t/$slug/applications" params={{ slug: team.slug }}>
          {words.applicationsAction}
        </Link>
      ),
    })
  } else if (applications && permissions.includes('applications:write')) {
    checks.push({
      state: 'open',
      title: words.firstApplication,
      text: words.firstApplicationText,
      action: (
        <Link to="/t/$slug/applications/new" params={{ slug: team.slug }}>
          {words.firstApplicationAction}
        </Link>
      ),
    })
  }
  const providers = useQuery({ ...providersQuery(team.id), enabled: permissions.includes('sso:read') }).data
  if (providers && providers.length > 0) {
    checks.push({
      state: 'good',
      title: words.providers(providers.length),
      text: words.providersText,
      action: (
        <Link to="/t/$slug/sso" params={{ slug: team.slug }}>
          {words.providersAction}
        </Link>
      ),
    })
  } else if (providers && permissions.includes('sso:write')) {
    checks.push({
      state: 'open',
      title: words.provider,
      text: words.providerText,
      action: (
        <Link to="/t/$slug/sso/new" params={{ slug: team.slug }}>
          {words.providerAction}
        </Link>
      ),
    })
  }
  checks.push({ state: 'open', title: words.later, text: words.laterText })
  return (
    <Panel title={teamWords.next} about={teamWords.nextAbout}>
      <CheckList checks={checks} />
    </Panel>
  )
}
