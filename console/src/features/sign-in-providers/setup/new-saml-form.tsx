import { Button, Group, SegmentedControl, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { object, pipe, string } from 'valibot'
import type { SamlMetadata } from '../../../api/contract'
import m from '../../../messages/en/sign-in-providers.json'
import vendorMessages from '../../../messages/en/sign-in-vendors.json'
import { announce } from '../../../ui/document/announcer'
import { atField } from '../../../ui/form/at-field'
import { fieldRules } from '../../../ui/form/field-rules'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { technical } from '../../../ui/form/technical'
import { useUnsaved } from '../../../ui/form/unsaved'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import stack from '../../../ui/layout/stack.module.css'
import { Panel } from '../../../ui/page/panel'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCreateProvider } from '../mutations'
import { parseMetadata } from '../queries'
import { domainsError, domainsIn } from '../settings/provider-form'
import type { Vendor } from '../vendors'
import { MetadataFound } from './metadata-found'
import { type SamlValues, type Source, sourceErrors, sourceSettings, sources } from './metadata-source'
import { SourceFields } from './source-fields'

const schema = pipe(
  object({
    name: string(),
    source: string(),
    samlMetadataUrl: string(),
    samlMetadata: string(),
    samlEntityId: string(),
    samlSsoUrl: string(),
    samlCertificate: string(),
    allowedDomains: string(),
  }),
  fieldRules<SamlValues>((values) => ({
    ...(!values.name.trim() && { name: m.nameMissing() }),
    ...sourceErrors(values),
    allowedDomains: domainsError(values.allowedDomains, false),
  })),
)

interface Props {
  vendor: Vendor
  back: () => void
  created: (id: string) => void
}

/** The values of a SAML provider: imported metadata, which is shown before it is saved, or manual values. It is created disabled. */
export function NewSamlForm({ vendor, back, created }: Props) {
  const { team } = useCurrentTeam()
  const id = useRef('')
  const create = useCreateProvider()
  /** the imported metadata and its source */
  const [imported, setImported] = useState<{ of: string; metadata: SamlMetadata } | null>(null)
  const { form, problem, busy, changes, onSubmit, trying, tryOut } = useSchemaForm<SamlValues>({
    schema,
    initial: {
      name: vendorMessages.suggestedName({ vendor }),
      source: 'url',
      samlMetadataUrl: '',
      samlMetadata: '',
      samlEntityId: '',
      samlSsoUrl: '',
      samlCertificate: '',
      allowedDomains: '',
    },
    send: async (values) => {
      const provider = await create.mutateAsync({
        type: vendor,
        protocol: 'SAML2',
        enabled: false,
        name: values.name.trim(),
        allowedDomains: domainsIn(values.allowedDomains),
        ...sourceSettings(values),
      })
      id.current = provider.id
    },
    done: () => created(id.current),
    mode: 'controlled',
  })
  useUnsaved(changes > 0)
  const source = form.values.source as Source
  const isImported = imported?.of === JSON.stringify(sourceSettings(form.values))

  const importMetadata = () =>
    tryOut(async (values) => {
      const settings = sourceSettings(values)
      const { samlMetadataUrl: url, samlMetadata: xml } = settings
      const metadata = await parseMetadata(team.id, url ? { url } : { xml: xml ?? '' }).catch((thrown) => {
        throw atField(thrown, url ? 'samlMetadataUrl' : 'samlMetadata')
      })
      setImported({ of: JSON.stringify(settings), metadata })
      announce(m.metadataFound())
    })

  return (
    <Panel title={m.stepValues({ vendor: vendorMessages.place({ vendor }) })}>
      <form
        onSubmit={(event) => {
          if (source === 'manual' || isImported) return onSubmit(event)
          event.preventDefault()
          importMetadata()
        }}
        noValidate
        aria-label={m.newTitle()}
        className={`${stack.wide} ${stack.fields}`}
      >
        <TextInput
          label={m.name()}
          description={m.nameHelp()}
          maxLength={100}
          autoComplete="off"
          required
          {...form.getInputProps('name')}
        />
        <SegmentedControl
          aria-label={m.metadataSource()}
          data={sources.map((value) => ({ value, label: m.metadataSourceName({ source: value }) }))}
          value={source}
          onChange={(value) => form.setFieldValue('source', value)}
        />
        <SourceFields form={form} source={source} urlLabel={vendorMessages.metadataUrl({ vendor })} />
        {isImported && source !== 'manual' && <MetadataFound metadata={imported.metadata} />}
        <TextInput
          {...technical}
          label={m.domains()}
          description={m.domainsHelp()}
          placeholder="example.com"
          {...form.getInputProps('allowedDomains')}
        />
        <ProblemMessage problem={problem} />
        <Group justify="space-between">
          <Button variant="default" onClick={back}>
            {m.back()}
          </Button>
          <Button type="submit" loading={busy || trying}>
            {isImported || source === 'manual' ? m.continue() : m.readMetadata()}
          </Button>
        </Group>
      </form>
    </Panel>
  )
}
