import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import m from '../../../messages/en/application-settings.json'
import applications from '../../../messages/en/applications.json'
import { ConfirmByName } from '../../../ui/dialogs/confirm-by-name'
import { SecretOnce } from '../../../ui/secrets/secret-once'
import { Pills } from '../../../ui/values/pills'
import { relativeTime } from '../../../ui/values/time'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { clientSettings, envFileName, envText } from '../overview/env-file'
import { rotateSecret } from '../queries'

/** Hours for which the previous secret can stay valid. */
const OVERLAPS = ['0', '1', '24'] as const
type Overlap = (typeof OVERLAPS)[number]

/** Creates a new client secret. The previous one is revoked at once or stays valid for the chosen time. */
export function SecretRotation({ since }: { since: string }) {
  const { team } = useCurrentTeam()
  const application = useCurrentApplication()
  const opener = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [overlap, setOverlap] = useState<Overlap>('0')
  const [secret, setSecret] = useState<string | null>(null)
  const { id, name, previousSecretExpiresAt } = application
  const hours = Number(overlap)
  const consequences =
    hours === 0
      ? [m.rotateBreaks({ since: relativeTime(since) }), m.rotateRevokes(), m.rotateKeeps()]
      : [m.rotateOverlaps({ since: relativeTime(since), hours }), m.rotateLeaked()]
  return (
    <>
      <Button
        ref={opener}
        variant="default"
        onClick={() => {
          setOverlap('0')
          setIsOpen(true)
        }}
      >
        {m.rotate()}
      </Button>
      <ConfirmByName
        opened={isOpen}
        title={m.rotateTitle()}
        consequences={[...consequences, ...(previousSecretExpiresAt ? [m.rotateOlder()] : [])]}
        name={name}
        verb={m.rotate()}
        act={() => rotateSecret(team.id, id, hours * 3600).then(setSecret)}
        done={() => setIsOpen(false)}
        close={() => setIsOpen(false)}
      >
        <Pills
          legend={m.keepPrevious()}
          showLegend
          choices={OVERLAPS.map((value) => ({ value, name: m.overlap({ hours: Number(value) }) }))}
          value={overlap}
          choose={setOverlap}
        />
      </ConfirmByName>
      {!isOpen && secret && (
        <SecretOnce
          title={m.rotatedTitle({ application: name })}
          label={applications.secretLabel()}
          secret={secret}
          file={{ name: envFileName(application), text: envText(clientSettings(application, secret)) }}
          close={() => {
            setSecret(null)
            // The dialog that had the focus when this one opened is gone.
            setTimeout(() => opener.current?.focus())
          }}
        />
      )}
    </>
  )
}
