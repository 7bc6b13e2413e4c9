import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { LdapDirectory } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/ldap.json'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog'
import stack from '../../../ui/layout/stack.module.css'
import { DescriptionList } from '../../../ui/page/description-list'
import { Panel } from '../../../ui/page/panel'
import { RelativeTime } from '../../../ui/values/relative-time'
import { StatusBadge } from '../../../ui/values/status-badge'
import { useCurrentTeam } from '../../organizations/current-team'
import { hostOf } from './directory-context'
import { every } from './every'
import { isPlain } from './ldap-form'
import { saveDirectory } from './queries'

/** The state and the main settings of the directory, and the button that enables or disables it. */
export function StatePanel({ directory }: { directory: LdapDirectory }) {
  const { me } = useCurrentTeam()
  const { enabled } = directory
  return (
    <Panel title={m.title()} about={enabled ? m.enabledHelp() : m.disabledHelp()}>
      <div className={stack.parts}>
        <DescriptionList
          items={[
            {
              name: m.status(),
              value: (
                <StatusBadge tone={enabled ? 'ok' : 'neutral'}>{enabled ? m.enabled() : m.disabled()}</StatusBadge>
              ),
            },
            { name: m.server(), value: <code>{hostOf(directory)}</code> },
            { name: m.security(), value: <Security directory={directory} /> },
            { name: m.baseDn(), value: <code>{directory.ldapBaseDn}</code> },
            { name: m.schedule(), value: <Schedule directory={directory} /> },
            {
              name: m.lastSync(),
              value: directory.lastSyncAt ? <RelativeTime at={directory.lastSyncAt} /> : m.never(),
            },
            { name: m.signIn(), value: directory.signInEnabled ? m.signInEnabled() : m.signInDisabled() },
          ]}
        />
        <div className={stack.row}>
          <SettingsButton />
          {me.permissions.includes('directory:write') && <EnableButton enabled={enabled} />}
        </div>
      </div>
    </Panel>
  )
}

function Security({ directory: { ldapUrl, startTls } }: { directory: LdapDirectory }) {
  if (isPlain({ ldapUrl, startTls })) return <StatusBadge tone="warn">{m.securityName({ kind: 'plain' })}</StatusBadge>
  return m.securityName({ kind: startTls ? 'startTls' : 'tls' })
}

function Schedule({ directory: { scheduleMinutes, nextSyncAt } }: { directory: LdapDirectory }) {
  return (
    <span>
      {every(scheduleMinutes)}
      {nextSyncAt && (
        <>
          {' · '}
          {m.nextSync()} <RelativeTime at={nextSyncAt} />
        </>
      )}
    </span>
  )
}

function SettingsButton() {
  const { team } = useCurrentTeam()
  const navigate = useNavigate()
  return (
    <Button
      variant="default"
      onClick={() => navigate({ to: '/t/$slug/directory/ldap/settings', params: { slug: team.slug } })}
    >
      {m.settings()}
    </Button>
  )
}

function EnableButton({ enabled }: { enabled: boolean }) {
  const { team } = useCurrentTeam()
  const [asking, setAsking] = useState(false)
  const act = (on: boolean) => saveDirectory(team.id, { enabled: on })
  const done = (saved: LdapDirectory) => (saved.enabled ? m.enabledDone() : m.disabledDone())
  const enable = useWrite({ act: () => act(true), refresh: [], done })
  const disable = useWrite({ act: () => act(false), refresh: [], done, showsError: true })
  return (
    <>
      <Button
        variant={enabled ? 'default' : 'filled'}
        loading={enable.isPending}
        onClick={() => (enabled ? setAsking(true) : enable.mutate())}
      >
        {enabled ? m.disable() : m.enable()}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={m.disableTitle()}
        text={m.disableText()}
        verb={m.disable()}
        act={() => disable.mutateAsync()}
        close={() => setAsking(false)}
      />
    </>
  )
}
