import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { object, pipe, rawCheck, string } from 'valibot'
import type { SpMetadata } from '../../../api/contract'
import m from '../../../messages/en/saml.json'
import { useAttempt } from '../../../ui/dialogs/use-attempt'
import { announce } from '../../../ui/document/announcer'
import { atField } from '../../../ui/form/at-field'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { TextFileInput } from '../../../ui/form/text-file-input'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { Facts } from '../../../ui/page/facts'
import { Panel } from '../../../ui/page/panel'
import { useCurrentTeam } from '../../organizations/current-team'
import { parseMetadata } from './queries'
import { nameOfFormat } from './saml-settings'
import { isUrl } from './service-provider'

const SOURCES = ['url', 'xml'] as const
type Source = (typeof SOURCES)[number]

const schemaOf = (source: Source) => {
  const required = (field: Source, isValid: (text: string) => boolean, message: string) =>
    pipe(
      string(),
      rawCheck(({ dataset, addIssue }) => {
        if (dataset.typed && source === field && !isValid(dataset.value)) addIssue({ message })
      }),
    )
  return object({
    url: required('url', isUrl, m.urlWrong()),
    xml: required('xml', (text) => text.trim() !== '', m.missing()),
  })
}

/** Reads the metadata of a service provider and shows what it contains. @param take uses the values */
export function MetadataPanel({ take }: { take: (found: SpMetadata) => Promise<unknown> }) {
  const { team } = useCurrentTeam()
  const [source, setSource] = useState<Source>('url')
  const [found, setFound] = useState<SpMetadata | null>(null)
  const { form, problem, busy, onSubmit } = useSchemaForm({
    schema: schemaOf(source),
    initial: { url: '', xml: '' },
    send: async ({ url, xml }) => {
      setFound(null)
      const metadata = await parseMetadata(team.id, source === 'url' ? { url: url.trim() } : { xml }).catch(
        (thrown) => {
          throw atField(thrown, source)
        },
      )
      setFound(metadata)
      announce(m.found())
    },
  })
  return (
    <Panel title={m.import()} about={m.importAbout()}>
      <div className={`${stack.wide} ${stack.fields}`}>
        <form onSubmit={onSubmit} noValidate aria-label={m.import()} className={stack.fields}>
          <SegmentedControl
            aria-label={m.source()}
            data={SOURCES.map((value) => ({ value, label: m.sourceName({ source: value }) }))}
            value={source}
            onChange={setSource}
          />
          {source === 'url' ? (
            <TextInput
              label={m.url()}
              inputMode="url"
              placeholder="https://"
              autoComplete="off"
              key={form.key('url')}
              {...form.getInputProps('url')}
            />
          ) : (
            <TextFileInput
              label={m.xml()}
              description={m.xmlHint()}
              choose={m.chooseFile()}
              accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
              key={form.key('xml')}
              {...form.getInputProps('xml')}
              take={(text) => form.setFieldValue('xml', text)}
            />
          )}
          <ProblemMessage problem={problem} />
          <div>
            <Button type="submit" variant="default" loading={busy}>
              {m.read()}
            </Button>
          </div>
        </form>
        {found && <Found found={found} take={() => take(found).then(() => setFound(null))} />}
      </div>
    </Panel>
  )
}

function Found({ found, take }: { found: SpMetadata; take: () => Promise<void> }) {
  const { busy, problem, attempt } = useAttempt()
  const { warnings, requestedAttributes, certificateExpiresAt } = found
  const requested = requestedAttributes.map(({ name, friendlyName }) => friendlyName ?? name)
  return (
    <div className={stack.fields}>
      <Notice kind="success" title={m.found()} />
      <Facts
        facts={[
          { name: m.spEntityId(), value: found.samlSpEntityId },
          { name: m.acsUrl(), value: found.samlSpAcsUrl },
          ...(found.samlSpSloUrl ? [{ name: m.spSloUrl(), value: found.samlSpSloUrl }] : []),
          ...(found.samlSpSloPostUrl ? [{ name: m.spSloPostUrl(), value: found.samlSpSloPostUrl }] : []),
          ...(found.samlNameIdFormat ? [{ name: m.nameId(), value: nameOfFormat(found.samlNameIdFormat) }] : []),
          ...(certificateExpiresAt
            ? [{ name: m.spCertificate(), value: m.expires({ day: certificateExpiresAt.slice(0, 10) }) }]
            : []),
          ...(found.samlEncryptAssertion ? [{ name: m.encrypt(), value: m.encryptFound() }] : []),
          ...(requested.length > 0 ? [{ name: m.requested(), value: requested.join(', ') }] : []),
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
        <Button loading={busy} onClick={() => attempt(take)}>
          {m.take()}
        </Button>
      </div>
    </div>
  )
}
