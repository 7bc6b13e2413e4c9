import stack from '../layout/stack.module.css'
import { CopyField } from '../secrets/copy-field'

interface Props {
  label: string
  value: string
  /** label of the link, and name of the file */
  save: string
  file: string
}

/** The URL of a document, to copy or download. */
export function DocumentAddress({ label, value, save, file }: Props) {
  return (
    <div className={stack.tight}>
      <CopyField label={label} value={value} />
      <p className={stack.small}>
        <a href={value} download={file}>
          {save}
        </a>
      </p>
    </div>
  )
}
