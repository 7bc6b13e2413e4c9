import { Switch } from '@mantine/core'
import { useWrite } from '../../../../api/use-write'
import m from '../../../../messages/en/factors.json'
import { Panel } from '../../../../ui/page/panel'
import styles from '../../../../ui/values/switch.module.css'
import type { Guarded } from '../use-reauthentication'
import { factorsQuery, setAdaptive } from './calls'

interface Props {
  adaptive: boolean
  guarded: Guarded
}

/** Chooses whether two-step verification is required at every sign-in or at unusual ones only. */
export function AdaptivePanel({ adaptive, guarded }: Props) {
  const write = useWrite({
    act: (enabled: boolean) => guarded(() => setAdaptive(enabled)),
    refresh: [factorsQuery.queryKey],
  })
  return (
    <Panel title={m.adaptive()}>
      <Switch
        checked={adaptive}
        onChange={() => !write.isPending && write.mutate(!adaptive)}
        aria-busy={write.isPending || undefined}
        size="md"
        label={m.adaptiveSwitch()}
        description={m.adaptiveHint()}
        classNames={{ track: styles.track as string, label: styles.label as string }}
      />
    </Panel>
  )
}
