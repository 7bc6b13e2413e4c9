import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { ConfirmByName } from '../../design/confirm-by-name'
import { CopyField } from '../../design/copy-field'
import { Facts } from '../../design/facts'
import { Moment } from '../../design/moment'
import { Panel } from '../../design/panel'
import { SecretOnce } from '../../design/secret-once'
import { relativeTime, applicationWords as words } from '../../words'
import { useCurrentTeam } from '../organizations/current-team'
import { useCurrentApplication } from './current-application'
import { clientSettings, envFileName, envText } from './env-file'
import { rotateSecret } from './queries'

export function CredentialsPage() {
  const { me } = useCurrentTeam()
  const application = useCurrentApplication()
  const { clientId, tokenEndpointAuthMethod, isPublicClient, hasSecret, secretRotatedAt, createdAt } = application
  const since = secretRotatedAt ?? createdAt
  return (
    <>
      <Panel title={words.authPanel}>
        <Facts
          facts={[
            { name: words.clientId, value: <CopyField label={words.clientId} value={clientId} /> },
            {
              name: words.authMethodName,
              value: words.authMethod(isPublicClient ? 'none' : tokenEndpointAuthMethod),
            },
            ...(hasSecret ? [{ name: words.secretSince, value: <Moment at={since} /> }] : []),
          ]}
        />
      </Panel>
      {hasSecret && me.permissions.includes('applications:write') && <Rotation since={since} />}
    </>
  )
}

function Rotation({ since }: { since: string }) {
  const { team } = useCurrentTeam()
  const application = useCurrentApplication()
  const opener = useRef<HTMLButtonElement>(null)
  const [asking, setAsking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const { id, name } = application
  return (
    <Panel
      title={words.rotatePanel}
      about={words.rotateAbout}
      action={
        <Button ref={opener} variant="default" onClick={() => setAsking(true)}>
          {words.rotate}
        </Button>
      }
    >
      <ConfirmByName
        opened={asking}
        title={words.rotateTitle}
        consequences={words.rotateBreaks(relativeTime(since))}
        name={name}
        verb={words.rotateVerb}
        act={() => rotateSecret(team.id, id).then(setSecret)}
        done={() => setAsking(false)}
        close={() => setAsking(false)}
      />
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
