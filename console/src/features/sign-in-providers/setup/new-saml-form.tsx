import { useRef, useState } from 'react'
import type { SamlMetadata } from '../../../api/contract'
import { announce } from '../../../ui/announcer'
import { atField } from '../../../ui/form/at-field'
import { Field } from '../../../ui/form/field'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { RowsField } from '../../../ui/form/rows-field'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useForm } from '../../../ui/form/use-form'
import { Panel } from '../../../ui/panel'
import { Pills } from '../../../ui/pills'
import stack from '../../../ui/stack.module.css'
import { Steps } from '../../../ui/steps'
import { useUnsaved } from '../../../ui/unsaved'
import { vendorWords, ssoWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { createProvider, parseMetadata } from '../queries'
import { domainsOf, wrongDomains } from '../settings/provider-form'
import type { Vendor } from '../vendors'
import { MetadataFound } from './metadata-found'
import { type Source, samlNames, sourceFields, sources, wrongSource } from './metadata-source'
import { SamlValues } from './saml-values'
import { SourceFields } from './source-fields'

interface Props {
  vendor: Vendor
  made: (id: string) => void
}

/** Our values for the vendor's console, and its metadata for us. What is saved is a draft: it is switched off. */
export function NewSamlForm({ vendor, made }: Props) {
  const { team } = useCurrentTeam()
  const { place, example, saml = vendorWords.GENERIC_SAML.saml } = vendorWords[vendor]
  const [source, setSource] = useState<Source>('url')
  // What was read, and of what: metadata are shown before they are saved.
  const [read, setRead] = useState<{ of: string; facts: SamlMetadata } | null>(null)
  const id = useRef<string | null>(null)
  const { form, errors, problem, busy, dirty, touch } = useForm({
    names: ['name', ...samlNames, 'allowedDomains'],
    check: (values) => ({
      ...(!values.name.trim() && { name: words.nameMissing }),
      ...wrongSource(source, values),
      ...wrongDomains('allowedDomains', values.allowedDomains),
    }),
    send: async (values) => {
      const fields = sourceFields(source, values)
      const of = JSON.stringify(fields)
      if (source !== 'hand' && read?.of !== of) {
        const { samlMetadataUrl: url, samlMetadata: xml } = fields
        const facts = await parseMetadata(team.id, url ? { url } : { xml: xml ?? '' }).catch((thrown) => {
          throw atField(thrown, url ? 'samlMetadataUrl' : 'samlMetadata')
        })
        setRead({ of, facts })
        announce(words.metadataFound)
        return
      }
      const provider = await createProvider(team.id, {
        type: vendor,
        protocol: 'SAML2',
        enabled: false,
        name: values.name.trim(),
        allowedDomains: domainsOf(values.allowedDomains),
        ...fields,
      })
      id.current = provider.id
    },
    // What was only read is not kept yet: leaving asks about it.
    saved: () => (id.current === null ? touch('name') : made(id.current)),
  })
  useUnsaved(dirty)
  if (!saml) return null
  const shown = source === 'hand' ? null : read
  return (
    <>
      <Panel title={words.there(place)}>
        <div className={stack.fields}>
          <Steps steps={saml.steps} />
          <SamlValues teamId={team.id} vendor={vendor} />
        </div>
      </Panel>
      <Panel title={words.here}>
        <form
          {...form}
          aria-label={words.newTitle}
          onChange={(event) => {
            form.onChange(event)
            if (samlNames.some((name) => name === (event.target as EventTarget & { name?: string }).name)) setRead(null)
          }}
        >
          <div className={`${stack.wide} ${stack.fields}`}>
            <Field
              name="name"
              label={words.name}
              hint={words.nameHint}
              defaultValue={example}
              maxLength={100}
              autoComplete="off"
              error={errors.name}
              required
            />
            <Pills
              legend={words.metadataHow}
              showLegend
              choices={sources.map((value) => ({ value, name: words.metadataSource[value] }))}
              value={source}
              choose={setSource}
            />
            <SourceFields source={source} urlLabel={saml.metadataUrl} errors={errors} />
            {shown && <MetadataFound facts={shown.facts} />}
            <RowsField
              name="allowedDomains"
              legend={words.domains}
              optional={words.optional}
              hint={words.domainsHint}
              rowLabel={words.domain}
              initial={[]}
              errors={errors}
              touch={touch}
              placeholder="example.com"
            />
            <ProblemMessage problem={problem} />
            <div>
              <SubmitButton busy={busy} fullWidth={false}>
                {shown || source === 'hand' ? words.create : words.readMetadata}
              </SubmitButton>
            </div>
          </div>
        </form>
      </Panel>
    </>
  )
}
