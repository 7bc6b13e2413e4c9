import { Button } from '@mantine/core'
import type { Application } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/try-it.json'
import { Icon } from '../../../ui/icons/icon'
import stack from '../../../ui/layout/stack.module.css'
import { CopyField } from '../../../ui/secrets/copy-field'
import { changeApplication, latestApplication } from '../queries'
import { tryCallbackUrl } from './authorize-request'

interface Props {
  application: Application
  /** runs after the URL was added or removed, before the button disappears */
  changed?: (added: boolean) => void
}

/** Adds the callback URL of test runs to the redirect URLs of the application, and removes it. */
export function TryCallbackUrl({ application, changed = () => {} }: Props) {
  const url = tryCallbackUrl()
  const { id, teamId } = application
  const isAdded = application.redirectUris.includes(url)

  const toggle = useWrite({
    act: async (add: boolean) => {
      // The latest redirect URLs, because another administrator may have changed them.
      const { redirectUris } = await latestApplication(teamId, id)
      const others = redirectUris.filter((uri) => uri !== url)
      await changeApplication(teamId, id, { redirectUris: add ? [...others, url] : others })
      changed(add)
    },
    refresh: [],
    done: (_, add) => (add ? m.added() : m.removed()),
  })

  return (
    <div className={stack.fields}>
      <CopyField label={m.url()} value={url} />
      <p>{isAdded ? m.urlAdded() : m.urlMissing()}</p>
      <div>
        <Button
          variant={isAdded ? 'default' : 'filled'}
          leftSection={<Icon name={isAdded ? 'minus' : 'plus'} />}
          loading={toggle.isPending}
          onClick={() => toggle.mutate(!isAdded)}
        >
          {isAdded ? m.removeUrl() : m.addUrl()}
        </Button>
      </div>
    </div>
  )
}
