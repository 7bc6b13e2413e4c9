import { Button, Textarea, type TextareaProps } from '@mantine/core'
import { useRef } from 'react'
import { Icon } from '../icons/icon'

interface Props extends TextareaProps {
  /** label of the button that opens the file dialog */
  choose: string
  /** file types that the dialog offers first */
  accept: string
  /** receives the content of the chosen file */
  take: (text: string) => void
}

/** Text that is pasted or read from a file. */
export function TextFileInput({ choose, accept, take, ...area }: Props) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <div>
      <Textarea {...area} rows={6} spellCheck={false} autoComplete="off" />
      <Button
        variant="default"
        size="compact-md"
        mt={8}
        leftSection={<Icon name="upload" />}
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
        onChange={async (event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) take(await file.text())
        }}
      />
    </div>
  )
}
