import { Button, FileButton, Stack, Textarea, type TextareaProps } from '@mantine/core'
import common from '../../messages/en/common.json'
import { Icon } from '../icons/icon'

interface Props extends TextareaProps {
  /** the file types that are shown first */
  accept: string
  /** takes the content of the file */
  load: (text: string) => void
}

/** Text that is pasted or loaded from a file. */
export function FileTextarea({ accept, load, ...props }: Props) {
  const read = async (file: File | null) => file && load(await file.text())
  return (
    <Stack gap="xs" align="flex-start">
      <Textarea w="100%" autosize minRows={4} maxRows={12} spellCheck={false} autoComplete="off" {...props} />
      <FileButton onChange={read} accept={accept} inputProps={{ 'aria-label': common.chooseFile() }}>
        {({ onClick }) => (
          <Button variant="default" leftSection={<Icon name="upload" />} onClick={onClick}>
            {common.chooseFile()}
          </Button>
        )}
      </FileButton>
    </Stack>
  )
}
