import { Badge, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Me } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/profile.json'
import roles from '../../../messages/en/roles.json'
import { Facts } from '../../../ui/facts'
import { Icon } from '../../../ui/icons/icon'
import { Panel } from '../../../ui/panel'
import stack from '../../../ui/stack.module.css'
import { teamsQuery } from '../../organizations/queries'
import { personName } from './person-name'
import { resendVerification } from './queries'

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
  const send = useWrite({ act: resendVerification, refresh: [], done: () => m.verificationSent() })
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
        (send.isSuccess ? (
          <p className={stack.dimmed}>{m.verificationSent()}</p>
        ) : (
          <div>
            <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
              {m.sendVerification()}
            </Button>
          </div>
        ))}
    </div>
  )
}
