import { Button } from '@mantine/core'
import m from '../../../messages/en/saml-keys.json'
import { CodeBlock } from '../../../ui/code-block'
import { download } from '../../../ui/download'
import { Icon } from '../../../ui/icons/icon'

/** A certificate (PEM) to copy or download. */
export function CertificateBlock({ certificate, file }: { certificate: string; file: string }) {
  return (
    <CodeBlock
      label={m.certificate()}
      code={certificate}
      actions={
        <Button
          variant="default"
          size="compact-md"
          leftSection={<Icon name="download" size={16} />}
          onClick={() => download({ name: file, text: certificate })}
        >
          {m.save()}
        </Button>
      }
    />
  )
}
