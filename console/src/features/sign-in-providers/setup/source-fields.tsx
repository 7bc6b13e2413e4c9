import { Field } from '../../../ui/form/field'
import { FileText } from '../../../ui/form/file-text'
import { TextArea } from '../../../ui/form/text-area'
import { ssoWords as words } from '../../../words'
import type { Source } from './metadata-source'

interface Props {
  source: Source
  /** what the vendor calls the address of its metadata */
  urlLabel: string
  errors: Partial<Record<string, string>>
}

/** The fields of one source of metadata. Those of the others are kept, out of sight. */
export function SourceFields({ source, urlLabel, errors }: Props) {
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
  return (
    <>
      <div hidden={source !== 'url'}>
        <Field
          {...plain}
          name="samlMetadataUrl"
          label={urlLabel}
          hint={words.metadataUrlHint}
          inputMode="url"
          placeholder="https://"
          error={errors.samlMetadataUrl}
        />
      </div>
      <div hidden={source !== 'xml'}>
        <FileText
          name="samlMetadata"
          label={words.metadataXml}
          hint={words.metadataXmlHint}
          choose={words.chooseFile}
          accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
          error={errors.samlMetadata}
        />
      </div>
      <div hidden={source !== 'hand'}>
        <Field
          {...plain}
          name="samlEntityId"
          label={words.entityId}
          hint={`${words.entityIdHint} ${words.anotherIssuer}`}
          error={errors.samlEntityId}
        />
        <Field
          {...plain}
          name="samlSsoUrl"
          label={words.ssoUrl}
          inputMode="url"
          placeholder="https://"
          error={errors.samlSsoUrl}
        />
        <TextArea
          name="samlCertificate"
          label={words.certificate}
          hint={words.certificateHint}
          rows={5}
          spellCheck={false}
          error={errors.samlCertificate}
        />
      </div>
    </>
  )
}
