import { Button } from '@mantine/core'
import { CodeBlock } from '../../../ui/code-block'
import { download } from '../../../ui/download'
import { Icon } from '../../../ui/icons/icon'
import { samlKeyWords as words } from '../../../words'

/** A certificate of ours (PEM), to be pasted elsewhere, or saved for whoever takes only a file. */
export function CertificateBlock({ certificate, file }: { certificate: string; file: string }) {
  return (
    <CodeBlock
      label={words.certificate}
      code={certificate}
      actions={
        <Button
          variant="default"
          size="compact-md"
          leftSection={<Icon name="download" size={16} />}
          onClick={() => download({ name: file, text: certificate })}
        >
          {words.save}
        </Button>
      }
    />
  )
}
