import { Badge, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Me } from '../../api/contract'
import { asProblem, type Problem } from '../../api/problem'
import m from '../../messages/en/profile.json'
import roles from '../../messages/en/roles.json'
import { announce } from '../../ui/announcer'
import { Facts } from '../../ui/facts'
import { ProblemMessage } from '../../ui/form/problem-message'
import { Icon } from '../../ui/icons/icon'
import { Panel } from '../../ui/panel'
import stack from '../../ui/stack.module.css'
import { teamsQuery } from '../organizations/queries'
import { personName } from './person-name'
import { resendConfirmation } from './queries'

export function ProfilePanel({ me }: { me: Me }) {
  const teams = useQuery(teamsQuery)
  return (
    <Panel title={m.profile()}>
      <Facts
        facts={[
          { name: m.name(), value: personName(me.user) ?? <span className={stack.dimmed}>{m.noName()}</span> },
          { name: m.email(), value: <Address email={me.user.email} verified={me.emailVerified} /> },
          {
            name: m.teams(),
            value: (teams.data ?? []).map((team) => (
              <div key={team.id}>
                <Link to="/t/$slug" params={{ slug: team.slug }}>
                  {team.name}
                </Link>
                {team.role && <span className={stack.dimmed}> · {roles.name({ role: team.role })}</span>}
              </div>
            )),
          },
        ]}
      />
    </Panel>
  )
}

function Address({ email, verified }: { email: string; verified: boolean }) {
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function send() {
    setBusy(true)
    setProblem(null)
    try {
      await resendConfirmation()
      setSent(true)
      announce(m.verificationSent())
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className={stack.tight}>
      <span className={stack.row}>
        {email}
        <Badge
          color={verified ? 'green' : 'yellow'}
          leftSection={<Icon name={verified ? 'check' : 'warning'} size={14} />}
        >
          {verified ? m.verified() : m.unverified()}
        </Badge>
      </span>
      {!verified &&
        (sent ? (
          <p className={stack.dimmed}>{m.verificationSent()}</p>
        ) : (
          <div>
            <Button variant="default" loading={busy} onClick={send}>
              {m.sendVerification()}
            </Button>
          </div>
        ))}
      <ProblemMessage problem={problem} />
    </div>
  )
}
