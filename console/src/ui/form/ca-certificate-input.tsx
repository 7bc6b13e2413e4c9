import { type ReactNode, useState } from 'react'
import { More } from '../page/more'
import { FileTextarea } from './file-textarea'

interface Props {
  label: string
  help: string
  /** from `getInputProps` */
  input: { error?: ReactNode; defaultValue?: string; value?: string }
  load: (pem: string) => void
}

/** The certificates of a private CA. Open if there is a value or an error, and then until the page is closed. */
export function CaCertificateInput({ label, help, input, load }: Props) {
  const [isOpen, setOpen] = useState(Boolean(input.value ?? input.defaultValue))
  if (input.error && !isOpen) setOpen(true)
  return (
    <More summary={label} open={isOpen}>
      <FileTextarea
        label={label}
        description={help}
        accept=".pem,.crt,.cer,application/x-pem-file,application/x-x509-ca-cert"
        load={load}
        {...input}
      />
    </More>
  )
}
