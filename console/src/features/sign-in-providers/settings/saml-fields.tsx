import { Field } from '../../../ui/form/field'
import { FileText } from '../../../ui/form/file-text'
import { TextArea } from '../../../ui/form/text-area'
import { More } from '../../../ui/more'
import stack from '../../../ui/stack.module.css'
import { vendorWords, ssoWords as words } from '../../../words'
import { useCurrentProvider } from '../current-provider'
import { vendorOf } from '../vendors'

/** How a provider of SAML is reached, and by what it is known. */
export function SamlFields({ errors }: { errors: Partial<Record<string, string>> }) {
  const provider = useCurrentProvider()
  const { saml = vendorWords.GENERIC_SAML.saml } = vendorWords[vendorOf(provider)]
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
  return (
    <>
      <Field
        {...plain}
        name="samlMetadataUrl"
        label={saml?.metadataUrl ?? ''}
        optional={words.optional}
        hint={words.metadataUrlHint}
        inputMode="url"
        placeholder="https://"
        defaultValue={provider.samlMetadataUrl}
        error={errors.samlMetadataUrl}
      />
      <More summary={words.newMetadata}>
        <FileText
          name="samlMetadata"
          label={words.metadataXml}
          hint={words.metadataReplaces}
          choose={words.chooseFile}
          accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
          error={errors.samlMetadata}
        />
      </More>
      <More summary={words.byHand} open={provider.samlMetadataUrl === undefined}>
        <div className={stack.fields}>
          <Field
            {...plain}
            name="samlEntityId"
            label={words.entityId}
            hint={`${words.entityIdHint} ${words.anotherIssuer}`}
            defaultValue={provider.samlEntityId}
            error={errors.samlEntityId}
          />
          <Field
            {...plain}
            name="samlSsoUrl"
            label={words.ssoUrl}
            inputMode="url"
            defaultValue={provider.samlSsoUrl}
            error={errors.samlSsoUrl}
          />
          <Field
            {...plain}
            name="samlSloUrl"
            label={words.sloUrl}
            optional={words.optional}
            inputMode="url"
            defaultValue={provider.samlSloUrl}
            error={errors.samlSloUrl}
          />
          <Field
            {...plain}
            name="samlSloPostUrl"
            label={words.sloPostUrl}
            optional={words.optional}
            inputMode="url"
            defaultValue={provider.samlSloPostUrl}
            error={errors.samlSloPostUrl}
          />
          <TextArea
            name="samlCertificate"
            label={words.newCertificate}
            hint={words.certificateReplaces}
            rows={5}
            spellCheck={false}
            error={errors.samlCertificate}
          />
        </div>
      </More>
    </>
  )
}
