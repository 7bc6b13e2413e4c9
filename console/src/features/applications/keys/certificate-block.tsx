import { Button } from '@mantine/core'
import m from '../../../messages/en/saml-keys.json'
import { Icon } from '../../../ui/icons/icon'
import { CodeBlock } from '../../../ui/secrets/code-block'
import { download } from '../../../ui/secrets/download'

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
          fz="xs"
          leftSection={<Icon name="download" />}
          onClick={() => download({ name: file, text: certificate })}
        >
          {m.save()}
        </Button>
      }
    />
  )
}
