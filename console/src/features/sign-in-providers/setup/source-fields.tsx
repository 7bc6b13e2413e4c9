import { Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import m from '../../../messages/en/sign-in-providers.json'
import { FileTextarea } from '../../../ui/form/file-textarea'
import { technical } from '../../../ui/form/technical'
import type { SamlValues, Source } from './metadata-source'

export const METADATA_FILES = '.xml,application/xml,text/xml,application/samlmetadata+xml'

interface Props {
  form: UseFormReturnType<SamlValues>
  source: Source
  /** the name of the metadata URL at the vendor */
  urlLabel: string
}

/** The fields of the chosen source. */
export function SourceFields({ form, source, urlLabel }: Props) {
  if (source === 'url')
    return (
      <TextInput
        {...technical}
        label={urlLabel}
        description={m.metadataUrlHelp()}
        inputMode="url"
        placeholder="https://"
        required
        {...form.getInputProps('samlMetadataUrl')}
      />
    )
  if (source === 'xml')
    return (
      <FileTextarea
        label={m.metadataXml()}
        description={m.metadataXmlHelp()}
        accept={METADATA_FILES}
        load={(text) => form.setFieldValue('samlMetadata', text)}
        required
        {...form.getInputProps('samlMetadata')}
      />
    )
  return (
    <>
      <TextInput
        {...technical}
        label={m.entityId()}
        description={m.entityIdHelp()}
        required
        {...form.getInputProps('samlEntityId')}
      />
      <TextInput
        {...technical}
        label={m.ssoUrl()}
        inputMode="url"
        placeholder="https://"
        required
        {...form.getInputProps('samlSsoUrl')}
      />
      <Textarea
        label={m.certificate()}
        description={m.certificateHelp()}
        rows={5}
        spellCheck={false}
        required
        {...form.getInputProps('samlCertificate')}
      />
    </>
  )
}
