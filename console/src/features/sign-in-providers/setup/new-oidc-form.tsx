import { Button, Group, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { object, pipe, string } from 'valibot'
import m from '../../../messages/en/sign-in-providers.json'
import vendorMessages from '../../../messages/en/sign-in-vendors.json'
import { fieldRules } from '../../../ui/form/field-rules'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { SecretInput } from '../../../ui/form/secret-input'
import { technical } from '../../../ui/form/technical'
import { useUnsaved } from '../../../ui/form/unsaved'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import stack from '../../../ui/layout/stack.module.css'
import { Panel } from '../../../ui/page/panel'
import { useCreateProvider } from '../mutations'
import { domainsError, domainsIn, urlError } from '../settings/provider-form'
import { fixedIssuer, type Vendor } from '../vendors'

interface OidcValues extends Record<string, unknown> {
  name: string
  oidcIssuer: string
  oidcClientId: string
  oidcClientSecret: string
  allowedDomains: string
}

/** @param needsDomains the issuer is shared by all customers of the vendor */
const schemaOf = (needsDomains: boolean) =>
  pipe(
    object({
      name: string(),
      oidcIssuer: string(),
      oidcClientId: string(),
      oidcClientSecret: string(),
      allowedDomains: string(),
    }),
    fieldRules<OidcValues>(({ name, oidcIssuer, oidcClientId, oidcClientSecret, allowedDomains }) => ({
      ...(!name.trim() && { name: m.nameMissing() }),
      oidcIssuer: urlError(oidcIssuer),
      ...(!oidcClientId.trim() && { oidcClientId: m.missing() }),
      ...(!oidcClientSecret && { oidcClientSecret: m.missing() }),
      allowedDomains: domainsError(allowedDomains, needsDomains),
    })),
  )

interface Props {
  vendor: Vendor
  /** of the redirect URL that the administrator has registered */
  reservation: string | undefined
  back: () => void
  created: (id: string) => void
}

/** The values of an OpenID Connect provider. It is created disabled. */
export function NewOidcForm({ vendor, reservation, back, created }: Props) {
  const issuer = fixedIssuer(vendor)
  const id = useRef('')
  const create = useCreateProvider()
  const { form, problem, busy, changes, onSubmit } = useSchemaForm<OidcValues>({
    schema: schemaOf(issuer !== undefined),
    initial: {
      name: vendorMessages.suggestedName({ vendor }),
      oidcIssuer: issuer ?? '',
      oidcClientId: '',
      oidcClientSecret: '',
      allowedDomains: '',
    },
    send: async (values) => {
      const provider = await create.mutateAsync({
        type: vendor,
        protocol: 'OIDC',
        ...(reservation && { reservation }),
        enabled: false,
        name: values.name.trim(),
        oidcIssuer: values.oidcIssuer.trim(),
        oidcClientId: values.oidcClientId.trim(),
        oidcClientSecret: values.oidcClientSecret,
        allowedDomains: domainsIn(values.allowedDomains),
      })
      id.current = provider.id
    },
    done: () => created(id.current),
  })
  useUnsaved(changes > 0)
  return (
    <Panel title={m.stepValues({ vendor: vendorMessages.place({ vendor }) })}>
      <form onSubmit={onSubmit} noValidate aria-label={m.newTitle()} className={`${stack.wide} ${stack.fields}`}>
        <TextInput
          label={m.name()}
          description={m.nameHelp()}
          maxLength={100}
          autoComplete="off"
          required
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <TextInput
          {...technical}
          label={m.issuer()}
          description={vendorMessages.issuerHelp({ vendor })}
          inputMode="url"
          placeholder={vendorMessages.issuerExample({ vendor })}
          readOnly={issuer !== undefined}
          required
          key={form.key('oidcIssuer')}
          {...form.getInputProps('oidcIssuer')}
        />
        <TextInput
          {...technical}
          label={vendorMessages.clientId({ vendor })}
          required
          key={form.key('oidcClientId')}
          {...form.getInputProps('oidcClientId')}
        />
        <SecretInput
          label={vendorMessages.clientSecret({ vendor })}
          description={m.secretHelp()}
          required
          key={form.key('oidcClientSecret')}
          {...form.getInputProps('oidcClientSecret')}
        />
        <TextInput
          {...technical}
          label={m.domains()}
          description={m.domainsHelp()}
          placeholder="example.com"
          required={issuer !== undefined}
          key={form.key('allowedDomains')}
          {...form.getInputProps('allowedDomains')}
        />
        <ProblemMessage problem={problem} />
        <Group justify="space-between">
          <Button variant="default" onClick={back}>
            {m.back()}
          </Button>
          <Button type="submit" loading={busy}>
            {m.continue()}
          </Button>
        </Group>
      </form>
    </Panel>
  )
}
