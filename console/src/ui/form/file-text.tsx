import { Button } from '@mantine/core'
import { type ComponentProps, useRef } from 'react'
import { Icon } from '../icons/icon'
import { TextArea } from './text-area'

interface Props
  extends Pick<ComponentProps<typeof TextArea>, 'name' | 'label' | 'hint' | 'error' | 'optional' | 'defaultValue'> {
  /** label of the button that opens a file */
  choose: string
  /** the accepted types of files */
  accept: string
}

/** A multi-line field whose value can be read from a file. */
export function FileText({ choose, accept, ...area }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const picker = useRef<HTMLInputElement>(null)

  async function take(file: File | undefined) {
    const field = frame.current?.querySelector('textarea')
    if (!file || !field) return
    const text = await file.text()
    // Fires an input event, so that React and the form notice the change.
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.focus()
  }

  return (
    <div ref={frame}>
      <TextArea {...area} rows={6} spellCheck={false} autoComplete="off" />
      <Button
        variant="default"
        size="compact-md"
        mt={8}
        leftSection={<Icon name="upload" size={16} />}
        onClick={() => picker.current?.click()}
      >
        {choose}
      </Button>
      <input
        ref={picker}
        type="file"
        hidden
        accept={accept}
        aria-label={choose}
        onChange={(event) => {
          take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </div>
  )
}
