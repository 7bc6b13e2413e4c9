import { Switch } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import m from '../../messages/en/factors.json'
import { ProblemMessage } from '../../ui/form/problem-message'
import { Panel } from '../../ui/panel'
import stack from '../../ui/stack.module.css'
import styles from '../../ui/switch.module.css'
import type { Guarded } from '../credentials/use-reauthentication'
import { setAdaptive } from './calls'
import { useAttempt } from './use-attempt'

interface Props {
  adaptive: boolean
  guarded: Guarded
}

/** Chooses whether two-step verification is required at every sign-in or at unusual ones only. */
export function AdaptivePanel({ adaptive, guarded }: Props) {
  const queries = useQueryClient()
  const { busy, problem, attempt } = useAttempt()

  async function toggle() {
    if (busy) return
    await attempt(async () => {
      await guarded(() => setAdaptive(!adaptive))
      await queries.invalidateQueries({ queryKey: ['mine', 'factors'] })
    })
  }

  return (
    <Panel title={m.adaptive()}>
      <div className={stack.fields}>
        <Switch
          checked={adaptive}
          onChange={toggle}
          aria-busy={busy || undefined}
          size="md"
          label={m.adaptiveSwitch()}
          description={m.adaptiveHint()}
          classNames={{ track: styles.track as string, label: styles.label as string }}
        />
        <ProblemMessage problem={problem} />
      </div>
    </Panel>
  )
}
