import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Me, Team } from '../../api/contract'
import m from '../../messages/en/overview.json'
import { type Check, CheckList } from '../../ui/layout/check-list'
import { Panel } from '../../ui/page/panel'
import { applicationsQuery } from '../applications/queries'
import { SampleButton } from '../applications/try-it/sample-button'
import { providersQuery } from '../sign-in-providers/queries'
import { usersQuery } from '../users/queries'
import type { Can } from './queries'

const FIRST_PAGE = { page: 1, limit: 25, filters: {} }

/** Lists what is set up in the team, and what a user with these permissions can do next; nothing if everything is set up. */
export function NextSteps({ team, me, can }: { team: Team; me: Me; can: Can }) {
  const params = { slug: team.slug }
  const applications = useQuery({ ...applicationsQuery(team.id), enabled: can('applications:read') }).data?.length
  const users = useQuery({ ...usersQuery(team.id, FIRST_PAGE), enabled: can('users:read') }).data?.total
  const providers = useQuery({ ...providersQuery(team.id), enabled: can('sso:read') }).data?.length
  const checks = [
    !me.emailVerified &&
      step('attention', m.verifyEmail(), m.verifyEmailText(), <Link to="/account">{m.goToAccount()}</Link>),
    !me.hasPassword &&
      step('open', m.password(), m.passwordText(), <Link to="/account/security">{m.goToSecurity()}</Link>),
    applications === 0 &&
      can('applications:write') &&
      step(
        'open',
        m.firstApplication(),
        m.firstApplicationText(),
        <Link to="/t/$slug/applications/new" params={params}>
          {m.createApplication()}
        </Link>,
      ),
    applications === 0 &&
      can('applications:write') &&
      step('open', m.sample(), m.sampleText(), <SampleButton team={team} />),
    Boolean(applications) &&
      step(
        'good',
        m.applications({ count: applications ?? 0 }),
        m.applicationsText(),
        <Link to="/t/$slug/applications" params={params}>
          {m.viewApplications()}
        </Link>,
      ),
    users !== undefined &&
      (users > 1 || can('members:write')) &&
      step(
        users > 1 ? 'good' : 'open',
        users > 1 ? m.users({ count: users }) : m.firstUser(),
        users > 1 ? m.usersText() : m.firstUserText(),
        <Link to="/t/$slug/users" params={params}>
          {users > 1 ? m.viewUsers() : m.inviteUsers()}
        </Link>,
      ),
    providers === 0 &&
      can('sso:write') &&
      step(
        'open',
        m.provider(),
        m.providerText(),
        <Link to="/t/$slug/sso/new" params={params}>
          {m.addProvider()}
        </Link>,
      ),
    Boolean(providers) &&
      step(
        'good',
        m.providers({ count: providers ?? 0 }),
        m.providersText(),
        <Link to="/t/$slug/sso" params={params}>
          {m.viewProviders()}
        </Link>,
      ),
  ].filter((check) => check !== false)
  if (checks.every(({ state }) => state === 'good')) return null
  return (
    <Panel title={m.next()}>
      <CheckList checks={checks} />
    </Panel>
  )
}

const step = (state: Check['state'], title: string, text: string, action: ReactNode): Check => ({
  state,
  title,
  text,
  action,
})
