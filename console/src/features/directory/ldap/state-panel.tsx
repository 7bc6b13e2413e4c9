import { Badge, Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { LdapDirectory } from '../../../api/contract'
import { asProblem, type Problem } from '../../../api/problem'
import { announce } from '../../../ui/announcer'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { Facts } from '../../../ui/facts'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Icon } from '../../../ui/icons/icon'
import { Panel } from '../../../ui/panel'
import { RelativeTime } from '../../../ui/relative-time'
import stack from '../../../ui/stack.module.css'
import { ldapWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { hostOf } from './directory-context'
import { isPlain } from './ldap-form'
import { saveDirectory } from './queries'

/** How the directory is reached and when it is read; on or off, apart from every other setting. */
export function StatePanel({ directory }: { directory: LdapDirectory }) {
  const { me } = useCurrentTeam()
  return (
    <Panel
      title={words.state}
      about={directory.enabled ? words.isOn : words.isOff}
      action={
        <span className={stack.row}>
          <StateBadge enabled={directory.enabled} />
          {me.permissions.includes('directory:write') && <OnOff enabled={directory.enabled} />}
          <ToSettings />
        </span>
      }
    >
      <Facts
        facts={[
          { name: words.server, value: <code>{hostOf(directory)}</code> },
          { name: words.security, value: <Security directory={directory} /> },
          { name: words.readBelow, value: <code>{directory.ldapBaseDn}</code> },
          { name: words.schedule, value: <Schedule directory={directory} /> },
          {
            name: words.lastSync,
            value: directory.lastSyncAt ? <RelativeTime at={directory.lastSyncAt} /> : words.never,
          },
          { name: words.signIn, value: directory.signInEnabled ? words.signInOn : words.signInOff },
        ]}
      />
    </Panel>
  )
}

function StateBadge({ enabled }: { enabled: boolean }) {
  return enabled ? (
    <Badge color="green" leftSection={<Icon name="done" size={14} />}>
      {words.on}
    </Badge>
  ) : (
    <Badge leftSection={<Icon name="circle" size={14} />}>{words.off}</Badge>
  )
}

function Security({ directory }: { directory: LdapDirectory }) {
  const { ldapUrl, startTls } = directory
  if (!isPlain({ ldapUrl, startTls: startTls ? 'on' : '' }))
    return startTls ? words.securityStartTls : words.securityTls
  return (
    <Badge color="yellow" leftSection={<Icon name="warning" size={14} />}>
      {words.securityNone}
    </Badge>
  )
}

function Schedule({ directory }: { directory: LdapDirectory }) {
  const { scheduleMinutes, nextSyncAt } = directory
  return (
    <>
      {words.every(scheduleMinutes)}
      {nextSyncAt && (
        <>
          {' · '}
          {words.nextSync} <RelativeTime at={nextSyncAt} />
        </>
      )}
    </>
  )
}

function ToSettings() {
  const { team } = useCurrentTeam()
  const navigate = useNavigate()
  return (
    <Button
      variant="default"
      onClick={() => navigate({ to: '/t/$slug/directory/ldap/settings', params: { slug: team.slug } })}
    >
      {words.settings}
    </Button>
  )
}

function OnOff({ enabled }: { enabled: boolean }) {
  const { team } = useCurrentTeam()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [asking, setAsking] = useState(false)

  async function turn(on: boolean) {
    await saveDirectory(team.id, { enabled: on })
    announce(on ? words.turnedOn : words.turnedOff)
  }

  async function press() {
    if (enabled) return setAsking(true)
    setBusy(true)
    setProblem(null)
    try {
      await turn(true)
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Button variant={enabled ? 'default' : 'filled'} loading={busy} onClick={press}>
        {enabled ? words.turnOff : words.turnOn}
      </Button>
      <ProblemMessage problem={problem} />
      <ConfirmDialog
        opened={asking}
        title={words.turnOffTitle}
        text={words.turnOffText}
        verb={words.turnOff}
        act={() => turn(false)}
        close={() => setAsking(false)}
      />
    </>
  )
}
