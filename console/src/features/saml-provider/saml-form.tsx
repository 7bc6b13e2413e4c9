import { useState } from 'react'
import m from '../../messages/en/form.json'
import { announce } from '../../ui/announcer'
import { ChoiceList } from '../../ui/form/choice-list'
import { Field } from '../../ui/form/field'
import { ProblemMessage } from '../../ui/form/problem-message'
import { SaveButton } from '../../ui/form/save-button'
import { Select } from '../../ui/form/select'
import { TextArea } from '../../ui/form/text-area'
import { useForm } from '../../ui/form/use-form'
import { Panel } from '../../ui/panel'
import stack from '../../ui/stack.module.css'
import { useUnsaved } from '../../ui/unsaved'
import { samlWords as words } from '../../words'
import { useCurrentApplication } from '../applications/current-application'
import { changeApplication } from '../applications/queries'
import { useCurrentTeam } from '../organizations/current-team'
import { nameIdFormats, nameOf, nameOfFormat, samlChanges, samlNames, toldFields, wrongSaml } from './saml-settings'
import { ServiceProviderFields } from './service-provider-fields'

/** What an application of SAML is, and what it is told about people. */
export function SamlForm({ label }: { label: string }) {
  const { team } = useCurrentTeam()
  const application = useCurrentApplication()
  const { samlNameIdFormat = nameIdFormats.email, samlAttributeMapping: mapping = {} } = application
  const [saved, setSaved] = useState(false)
  const { form, errors, problem, busy, dirty } = useForm({
    names: samlNames,
    check: wrongSaml,
    send: async (values) => {
      await changeApplication(team.id, application.id, samlChanges(application, values))
      announce(m.saved())
    },
    saved: () => setSaved(true),
  })
  useUnsaved(dirty)
  const formats = [...new Set<string>([...Object.values(nameIdFormats), samlNameIdFormat])].map((value) => ({
    value,
    name: nameOfFormat(value),
  }))
  return (
    <form {...form} className={stack.parts} aria-label={label}>
      <Panel title={words.settings}>
        <div className={`${stack.wide} ${stack.fields}`}>
          <ServiceProviderFields errors={errors} now={application} />
          <Select
            name="samlNameIdFormat"
            label={words.nameId}
            hint={words.nameIdHint}
            choices={formats}
            defaultValue={samlNameIdFormat}
            error={errors.samlNameIdFormat}
          />
          <Field
            name="samlSpSloUrl"
            label={words.spSloUrl}
            optional={words.optional}
            hint={words.spSloUrlHint}
            inputMode="url"
            placeholder="https://"
            autoComplete="off"
            defaultValue={application.samlSpSloUrl}
            error={errors.samlSpSloUrl}
          />
          <Field
            name="samlSpSloPostUrl"
            label={words.spSloPostUrl}
            optional={words.optional}
            hint={words.spSloPostUrlHint}
            inputMode="url"
            placeholder="https://"
            autoComplete="off"
            defaultValue={application.samlSpSloPostUrl}
            error={errors.samlSpSloPostUrl}
          />
          <TextArea
            name="samlSpCertificate"
            label={words.spCertificate}
            optional={words.optional}
            hint={words.spCertificateHint}
            rows={5}
            spellCheck={false}
            defaultValue={application.samlSpCertificate}
            error={errors.samlSpCertificate}
          />
          <ChoiceList
            legend={words.options}
            name="options"
            chosen={(['samlEncryptAssertion', 'samlAllowIdpInitiated'] as const).filter((name) => application[name])}
            choices={[
              { value: 'samlEncryptAssertion', title: words.encrypt, about: words.encryptAbout },
              { value: 'samlAllowIdpInitiated', title: words.idpInitiated, about: words.idpInitiatedAbout },
            ]}
            error={errors.options}
          />
        </div>
      </Panel>
      <Panel
        title={words.attributes}
        about={Object.keys(mapping).length === 0 ? words.attributesUsual : words.attributesAbout}
      >
        <div className={stack.columns}>
          {toldFields.map((field) => (
            <Field
              key={field}
              name={field}
              label={words.field(field)}
              placeholder={field}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              defaultValue={nameOf(field, mapping)}
              error={errors[field]}
            />
          ))}
        </div>
      </Panel>
      <ProblemMessage problem={problem} />
      <SaveButton busy={busy} dirty={dirty} saved={saved} />
    </form>
  )
}
