import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asProblem } from '../../api/problem'
import { showProblem } from '../../api/toasts'
import m from '../../messages/en/sign-in-providers.json'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog'
import { Panel } from '../../ui/page/panel'
import { useCurrentTeam } from '../organizations/current-team'
import { useCurrentProvider } from './current-provider'
import { useProviderWrites } from './mutations'
import { signInsQuery } from './queries'
import { isTested } from './sign-ins/tested'

/** Enables or disables the provider. Asks before it is enabled without a successful test. */
export function StatePanel({ title }: { title: string }) {
  const { team, me } = useCurrentTeam()
  const provider = useCurrentProvider()
  const { id, name, enabled } = provider
  const signIns = useQuery(signInsQuery(team.id, id))
  const { change } = useProviderWrites(({ enabled: on }) => (on ? m.enabledDone({ name }) : m.disabledDone({ name })))
  const [asking, setAsking] = useState(false)
  const tested = isTested(provider, signIns.data)
  const toggle = () => change.mutateAsync({ enabled: !enabled })

  async function press() {
    // The list may be older than a test that has just ended.
    if (!enabled && (tested || isTested(provider, (await signIns.refetch()).data)))
      return toggle().catch((thrown) => showProblem(asProblem(thrown)))
    setAsking(true)
  }

  return (
    <Panel
      title={title}
      about={enabled ? m.enabledHelp() : m.disabledHelp()}
      action={
        me.permissions.includes('sso:write') && (
          <Button variant={!enabled && tested ? 'filled' : 'default'} loading={change.isPending} onClick={press}>
            {enabled ? m.disable() : m.enable()}
          </Button>
        )
      }
    >
      <ConfirmDialog
        opened={asking}
        title={enabled ? m.disableTitle({ name }) : m.untestedTitle({ name })}
        text={enabled ? m.disableText() : m.untestedText()}
        verb={enabled ? m.disable() : m.enable()}
        gives={!enabled}
        act={toggle}
        close={() => setAsking(false)}
      />
    </Panel>
  )
}
