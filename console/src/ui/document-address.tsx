import { CopyField } from './copy-field'
import stack from './stack.module.css'

interface Props {
  label: string
  value: string
  /** what the link says, and the name of the file that it saves */
  save: string
  file: string
}

/** The address of a document, to take elsewhere; and the document, for whoever takes only a file. */
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
