import { Button } from '@mantine/core'
import type { Team } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/try-it.json'
import { Icon } from '../../../ui/icons/icon'
import { createApplication } from '../queries'
import { authorizeUrl, preparedTry, tryCallbackUrl } from './authorize-request'
import { keepPending } from './pending-try'

const SCOPES = ['openid', 'profile', 'email']

async function createSample(teamId: string) {
  const { application } = await createApplication(teamId, {
    name: m.sampleName(),
    description: m.sampleDescription(),
    type: 'OIDC',
    isPublicClient: true,
    redirectUris: [tryCallbackUrl()],
    scopes: SCOPES,
  })
  return application
}

/** Creates a sample application and signs the user in to it in this tab, which then shows the user's claims. Only for pages that were loaded securely. */
export function SampleButton({ team: { id, slug } }: { team: Pick<Team, 'id' | 'slug'> }) {
  const start = useWrite({
    act: async () => {
      const pending = await preparedTry(await createSample(id), slug, { scopes: SCOPES, freshSignIn: false })
      keepPending(pending)
      location.assign(authorizeUrl(pending))
      // The browser leaves the page: the button stays busy.
      await new Promise(() => {})
    },
    refresh: [],
  })
  if (crypto.subtle === undefined) return null
  return (
    <Button
      variant="default"
      leftSection={<Icon name="play" />}
      loading={start.isPending}
      onClick={() => start.mutate()}
    >
      {m.sample()}
    </Button>
  )
}
