import { useNavigate } from '@tanstack/react-router'
import type { StartSync } from '../../../../api/contract'
import { useWrite } from '../../../../api/use-write'
import m from '../../../../messages/en/ldap-runs.json'
import { announce } from '../../../../ui/document/announcer'
import { useCurrentTeam } from '../../../organizations/current-team'
import { startSync } from '../queries'

/** Starts a sync and opens its page. */
export function useStartSync() {
  const { team } = useCurrentTeam()
  const navigate = useNavigate()

  /** @throws Problem, which the calling dialog shows */
  async function begin(options: StartSync) {
    const { runId, isOther } = await startSync(team.id, options)
    announce(isOther ? m.alreadyRunning() : m.started())
    await navigate({
      to: '/t/$slug/directory/ldap/runs/$run',
      params: { slug: team.slug, run: runId },
      search: isOther ? { other: true } : {},
    })
  }

  const write = useWrite({ act: begin, refresh: [] })
  const busy = write.isPending ? (write.variables.dryRun ? 'dryRun' : 'sync') : null
  return { busy, begin, start: (options: StartSync) => busy === null && write.mutate(options) } as const
}
