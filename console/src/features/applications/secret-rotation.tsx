import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { ConfirmByName } from '../../ui/confirm-by-name'
import { Panel } from '../../ui/panel'
import { Pills } from '../../ui/pills'
import { SecretOnce } from '../../ui/secret-once'
import { relativeTime } from '../../ui/time'
import { applicationWords as words } from '../../words'
import { useCurrentTeam } from '../organizations/current-team'
import { useCurrentApplication } from './current-application'
import { clientSettings, envFileName, envText } from './env-file'
import { rotateSecret } from './queries'

/** For how long, in seconds, the secret before it may work on beside the new one. */
const overlaps = ['0', '3600', '86400'] as const
type Overlap = (typeof overlaps)[number]

/** A new secret, at the price that its maker chooses: everything stops at once, or both work for a while. */
export function SecretRotation({ since }: { since: string }) {
  const { team } = useCurrentTeam()
  const application = useCurrentApplication()
  const opener = useRef<HTMLButtonElement>(null)
  const [asking, setAsking] = useState(false)
  const [keepFor, setKeepFor] = useState<Overlap>('0')
  const [secret, setSecret] = useState<string | null>(null)
  const { id, name, previousSecretExpiresAt } = application
  const consequences =
    keepFor === '0'
      ? words.rotateBreaks(relativeTime(since))
      : words.rotateOverlaps(relativeTime(since), words.overlap[keepFor])
  return (
    <Panel
      title={words.rotatePanel}
      about={words.rotateAbout}
      action={
        <Button
          ref={opener}
          variant="default"
          onClick={() => {
            setKeepFor('0')
            setAsking(true)
          }}
        >
          {words.rotate}
        </Button>
      }
    >
      <ConfirmByName
        opened={asking}
        title={words.rotateTitle}
        consequences={[...consequences, ...(previousSecretExpiresAt ? [words.rotateForgets] : [])]}
        name={name}
        verb={words.rotateVerb}
        act={() => rotateSecret(team.id, id, Number(keepFor)).then(setSecret)}
        done={() => setAsking(false)}
        close={() => setAsking(false)}
      >
        <Pills
          legend={words.keepPrevious}
          showLegend
          choices={overlaps.map((value) => ({ value, name: words.overlap[value] }))}
          value={keepFor}
          choose={setKeepFor}
        />
      </ConfirmByName>
      {!asking && secret && (
        <SecretOnce
          title={words.rotatedTitle(name)}
          label={words.secretLabel}
          secret={secret}
          file={{ name: envFileName(application), text: envText(clientSettings(application, secret)) }}
          close={() => {
            setSecret(null)
            // The dialog before it had the focus when it opened, and is gone.
            setTimeout(() => opener.current?.focus())
          }}
        />
      )}
    </Panel>
  )
}
