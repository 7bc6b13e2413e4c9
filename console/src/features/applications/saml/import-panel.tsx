import { Button } from '@mantine/core'
import { useState } from 'react'
import type { SpMetadata } from '../../../api/contract'
import { announce } from '../../../ui/announcer'
import { Facts } from '../../../ui/facts'
import { atField } from '../../../ui/form/at-field'
import { Field } from '../../../ui/form/field'
import { FileText } from '../../../ui/form/file-text'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useForm } from '../../../ui/form/use-form'
import { Notice } from '../../../ui/notice'
import { Panel } from '../../../ui/panel'
import { Pills } from '../../../ui/pills'
import stack from '../../../ui/stack.module.css'
import { samlWords as words } from '../../../words'
import { useAttempt } from '../../mfa/use-attempt'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { changeApplication } from '../queries'
import { parseMetadata } from './queries'
import { nameOfFormat } from './saml-settings'
import { isAddress } from './service-provider-fields'

const sources = ['url', 'xml'] as const

/** Reads the metadata of an application, shows what they say, and takes it over when that is wanted. */
export function ImportPanel() {
  const { team } = useCurrentTeam()
  const [source, setSource] = useState<(typeof sources)[number]>('url')
  const [found, setFound] = useState<SpMetadata | null>(null)
  const { form, errors, problem, busy } = useForm({
    names: ['url', 'xml'],
    check: ({ url, xml }) => {
      if (source === 'url') return isAddress(url) ? {} : { url: words.urlWrong }
      return xml.trim() ? {} : { xml: words.missing }
    },
    send: async ({ url, xml }) => {
      setFound(null)
      const metadata = await parseMetadata(team.id, source === 'url' ? { url: url.trim() } : { xml }).catch(
        (thrown) => {
          throw atField(thrown, source)
        },
      )
      setFound(metadata)
      announce(words.found)
    },
  })
  return (
    <Panel title={words.import} about={words.importAbout}>
      <div className={`${stack.wide} ${stack.fields}`}>
        <form {...form} aria-label={words.import}>
          <div className={stack.fields}>
            <Pills
              legend={words.source}
              choices={sources.map((value) => ({ value, name: words.sources[value] }))}
              value={source}
              choose={setSource}
            />
            <div hidden={source !== 'url'}>
              <Field
                name="url"
                label={words.url}
                inputMode="url"
                placeholder="https://"
                autoComplete="off"
                error={errors.url}
              />
            </div>
            <div hidden={source !== 'xml'}>
              <FileText
                name="xml"
                label={words.xml}
                hint={words.xmlHint}
                choose={words.chooseFile}
                accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
                error={errors.xml}
              />
            </div>
            <ProblemMessage problem={problem} />
            <div>
              <SubmitButton busy={busy} fullWidth={false} variant={found ? 'default' : 'filled'}>
                {words.read}
              </SubmitButton>
            </div>
          </div>
        </form>
        {found && <Found found={found} done={() => setFound(null)} />}
      </div>
    </Panel>
  )
}

/** Removes the URLs for responses of earlier metadata: new ones replace them only where the metadata has them. */
const noResponseUrls = ({ samlSpSloUrl, samlSpSloPostUrl }: Pick<SpMetadata, 'samlSpSloUrl' | 'samlSpSloPostUrl'>) => ({
  ...(samlSpSloUrl && { samlSpSloResponseUrl: null }),
  ...(samlSpSloPostUrl && { samlSpSloPostResponseUrl: null }),
})

function Found({ found, done }: { found: SpMetadata; done: () => void }) {
  const { team } = useCurrentTeam()
  const { id } = useCurrentApplication()
  const { busy, problem, attempt } = useAttempt()
  const { warnings, requestedAttributes, certificateExpiresAt, ...fields } = found
  const take = () =>
    attempt(async () => {
      await changeApplication(team.id, id, { ...noResponseUrls(fields), ...fields })
      announce(words.taken)
      done()
    })
  const asked = requestedAttributes.map(({ name, friendlyName }) => friendlyName ?? name)
  return (
    <div className={stack.fields}>
      <Notice kind="success" title={words.found} />
      <Facts
        facts={[
          { name: words.spEntityId, value: found.samlSpEntityId },
          { name: words.acsUrl, value: found.samlSpAcsUrl },
          ...(found.samlSpSloUrl ? [{ name: words.spSloUrl, value: found.samlSpSloUrl }] : []),
          ...(found.samlSpSloPostUrl ? [{ name: words.spSloPostUrl, value: found.samlSpSloPostUrl }] : []),
          ...(found.samlNameIdFormat ? [{ name: words.nameId, value: nameOfFormat(found.samlNameIdFormat) }] : []),
          ...(certificateExpiresAt
            ? [{ name: words.spCertificate, value: words.certificateUntil(certificateExpiresAt.slice(0, 10)) }]
            : []),
          ...(found.samlEncryptAssertion ? [{ name: words.encrypt, value: words.encryptFound }] : []),
          ...(asked.length > 0 ? [{ name: words.asks, value: asked.join(', ') }] : []),
        ]}
      />
      {warnings.length > 0 && (
        <Notice kind="warning">
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Notice>
      )}
      <ProblemMessage problem={problem} />
      <div>
        <Button loading={busy} onClick={take}>
          {words.take}
        </Button>
      </div>
    </div>
  )
}
