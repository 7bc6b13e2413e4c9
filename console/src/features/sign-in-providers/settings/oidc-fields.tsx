import { TextInput } from '@mantine/core'
import m from '../../../messages/en/sign-in-providers.json'
import vendorMessages from '../../../messages/en/sign-in-vendors.json'
import { SecretInput } from '../../../ui/form/secret-input'
import { technical } from '../../../ui/form/technical'
import stack from '../../../ui/layout/stack.module.css'
import { More } from '../../../ui/page/more'
import { useCurrentProvider } from '../current-provider'
import { fixedIssuer, vendorOf } from '../vendors'
import type { SettingsForm } from './settings-form'

const endpoints = [
  ['oidcAuthUrl', m.authorizationUrl()],
  ['oidcTokenUrl', m.tokenUrl()],
  ['oidcUserinfoUrl', m.userinfoUrl()],
] as const

/** The connection of an OpenID Connect provider. */
export function OidcFields({ form }: { form: SettingsForm }) {
  const provider = useCurrentProvider()
  const vendor = vendorOf(provider)
  const isFixed = fixedIssuer(vendor) === provider.oidcIssuer
  return (
    <>
      <TextInput
        {...technical}
        label={m.issuer()}
        description={isFixed ? vendorMessages.issuerHelp({ vendor }) : m.changeIssuer()}
        inputMode="url"
        readOnly={isFixed}
        required
        {...form.getInputProps('oidcIssuer')}
      />
      <TextInput
        {...technical}
        label={vendorMessages.clientId({ vendor })}
        required
        {...form.getInputProps('oidcClientId')}
      />
      <SecretInput
        label={vendorMessages.clientSecret({ vendor })}
        description={m.secretUnchanged()}
        {...form.getInputProps('oidcClientSecret')}
      />
      <More summary={m.endpoints()} open={endpoints.some(([name]) => form.errors[name])}>
        <div className={stack.fields}>
          <p className={`${stack.dimmed} ${stack.small}`}>{m.endpointsHelp()}</p>
          {endpoints.map(([name, label]) => (
            <TextInput
              {...technical}
              key={name}
              label={label}
              inputMode="url"
              placeholder="https://"
              {...form.getInputProps(name)}
            />
          ))}
          <TextInput
            {...technical}
            label={m.scopes()}
            description={m.scopesHelp()}
            placeholder="openid email profile"
            {...form.getInputProps('oidcScopes')}
          />
        </div>
      </More>
    </>
  )
}
