import { Textarea, TextInput } from '@mantine/core'
import m from '../../../messages/en/sign-in-providers.json'
import vendorMessages from '../../../messages/en/sign-in-vendors.json'
import { FileTextarea } from '../../../ui/form/file-textarea'
import { technical } from '../../../ui/form/technical'
import stack from '../../../ui/layout/stack.module.css'
import { More } from '../../../ui/page/more'
import { useCurrentProvider } from '../current-provider'
import { METADATA_FILES } from '../setup/source-fields'
import { vendorOf } from '../vendors'
import type { SettingsForm } from './settings-form'

/** The connection of a SAML provider: its metadata, or manual values. */
export function SamlFields({ form }: { form: SettingsForm }) {
  const provider = useCurrentProvider()
  return (
    <>
      <TextInput
        {...technical}
        label={vendorMessages.metadataUrl({ vendor: vendorOf(provider) })}
        description={m.metadataUrlHelp()}
        inputMode="url"
        placeholder="https://"
        {...form.getInputProps('samlMetadataUrl')}
      />
      <More summary={m.newMetadata()} open={form.errors.samlMetadata !== undefined}>
        <FileTextarea
          label={m.metadataXml()}
          description={m.metadataReplaces()}
          accept={METADATA_FILES}
          load={(text) => form.setFieldValue('samlMetadata', text)}
          {...form.getInputProps('samlMetadata')}
        />
      </More>
      <More summary={m.manual()} open={provider.samlMetadataUrl === undefined}>
        <div className={stack.fields}>
          <TextInput
            {...technical}
            label={m.entityId()}
            description={m.changeEntityId()}
            {...form.getInputProps('samlEntityId')}
          />
          <TextInput {...technical} label={m.ssoUrl()} inputMode="url" {...form.getInputProps('samlSsoUrl')} />
          <TextInput {...technical} label={m.sloUrl()} inputMode="url" {...form.getInputProps('samlSloUrl')} />
          <TextInput {...technical} label={m.sloPostUrl()} inputMode="url" {...form.getInputProps('samlSloPostUrl')} />
          <Textarea
            label={m.newCertificate()}
            description={m.newCertificateHelp()}
            rows={5}
            spellCheck={false}
            {...form.getInputProps('samlCertificate')}
          />
        </div>
      </More>
    </>
  )
}
