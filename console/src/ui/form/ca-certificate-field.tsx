import { useState } from 'react'
import { More } from '../more'
import { useOnceTrue } from '../use-once-true'
import { FileText } from './file-text'

interface Props {
  words: { ca: string; caHint: string; optional: string; chooseFile: string }
  saved: string | null | undefined
  error: string | undefined
}

/** The certificates of a private CA. It opens with a saved value or an error, and then stays open while the error is corrected. */
export function CaCertificateField({ words, saved, error }: Props) {
  const [isSaved] = useState(Boolean(saved))
  const isOpen = useOnceTrue(isSaved || error !== undefined)
  return (
    <More summary={words.ca} open={isOpen}>
      <FileText
        name="caCertificate"
        label={words.ca}
        optional={words.optional}
        hint={words.caHint}
        choose={words.chooseFile}
        accept=".pem,.crt,.cer,application/x-pem-file,application/x-x509-ca-cert"
        defaultValue={saved ?? ''}
        error={error}
      />
    </More>
  )
}
