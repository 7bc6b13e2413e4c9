import { Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import { useWrite } from '../../../api/use-write'
import common from '../../../messages/en/common.json'
import m from '../../../messages/en/saml.json'
import { SaveBar } from '../../../ui/form/save-bar'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import stack from '../../../ui/layout/stack.module.css'
import { Panel } from '../../../ui/page/panel'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { applicationsQuery, changeApplication } from '../queries'
import {
  attributeKey,
  nameIdFormats,
  nameOfFormat,
  type SamlValues,
  SENT_FIELDS,
  samlChanges,
  samlSchema,
  samlValuesOf,
} from './saml-settings'

const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
const URL_FIELD = { ...PLAIN, inputMode: 'url', placeholder: 'https://' } as const

/** The settings of the service provider, and the attributes that are sent to it. */
export function SamlForm() {
  const { team } = useCurrentTeam()
  const application = useCurrentApplication()
  const write = useWrite({
    act: (values: SamlValues) => changeApplication(team.id, application.id, samlChanges(application, values)),
    refresh: [applicationsQuery(team.id).queryKey],
    done: () => common.saved(),
    showsError: true,
  })
  const initial = samlValuesOf(application)
  const { form, problem, busy, changes, discard, onSubmit } = useSchemaForm({
    schema: samlSchema,
    initial,
    send: write.mutateAsync,
  })
  const formats = [...new Set<string>([...Object.values(nameIdFormats), initial.samlNameIdFormat])]
  const hasMapping = Object.keys(application.samlAttributeMapping ?? {}).length > 0
  return (
    <form onSubmit={onSubmit} noValidate className={stack.parts} aria-label={m.settings()}>
      <Panel title={m.settings()}>
        <div className={`${stack.wide} ${stack.fields}`}>
          <TextInput
            {...PLAIN}
            label={m.spEntityId()}
            description={m.spEntityIdHint()}
            required
            key={form.key('samlSpEntityId')}
            {...form.getInputProps('samlSpEntityId')}
          />
          <TextInput
            {...URL_FIELD}
            label={m.acsUrl()}
            description={m.acsUrlHint()}
            required
            key={form.key('samlSpAcsUrl')}
            {...form.getInputProps('samlSpAcsUrl')}
          />
          <Select
            label={m.nameId()}
            description={m.nameIdHint()}
            data={formats.map((value) => ({ value, label: nameOfFormat(value) }))}
            allowDeselect={false}
            key={form.key('samlNameIdFormat')}
            {...form.getInputProps('samlNameIdFormat')}
          />
          <TextInput
            {...URL_FIELD}
            label={m.spSloUrl()}
            description={m.spSloUrlHint()}
            key={form.key('samlSpSloUrl')}
            {...form.getInputProps('samlSpSloUrl')}
          />
          <TextInput
            {...URL_FIELD}
            label={m.spSloPostUrl()}
            description={m.spSloPostUrlHint()}
            key={form.key('samlSpSloPostUrl')}
            {...form.getInputProps('samlSpSloPostUrl')}
          />
          <Textarea
            label={m.spCertificate()}
            description={m.spCertificateHint()}
            rows={5}
            spellCheck={false}
            key={form.key('samlSpCertificate')}
            {...form.getInputProps('samlSpCertificate')}
          />
          <Checkbox
            label={m.encrypt()}
            description={m.encryptAbout()}
            key={form.key('samlEncryptAssertion')}
            {...form.getInputProps('samlEncryptAssertion', { type: 'checkbox' })}
          />
          <Checkbox
            label={m.idpInitiated()}
            description={m.idpInitiatedAbout()}
            key={form.key('samlAllowIdpInitiated')}
            {...form.getInputProps('samlAllowIdpInitiated', { type: 'checkbox' })}
          />
        </div>
      </Panel>
      <Panel title={m.attributes()} about={hasMapping ? m.attributesAbout() : m.attributesDefault()}>
        <div className={stack.columns}>
          {SENT_FIELDS.map((field) => (
            <TextInput
              {...PLAIN}
              label={m.field({ field })}
              placeholder={field}
              key={form.key(attributeKey(field))}
              {...form.getInputProps(attributeKey(field))}
            />
          ))}
        </div>
      </Panel>
      <SaveBar changes={changes} busy={busy} problem={problem} discard={discard} />
    </form>
  )
}
