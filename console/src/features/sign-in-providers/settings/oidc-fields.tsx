import { Field } from '../../../ui/form/field'
import { PasswordField } from '../../../ui/form/password-field'
import { RowsField } from '../../../ui/form/rows-field'
import { More } from '../../../ui/more'
import stack from '../../../ui/stack.module.css'
import { vendorWords, ssoWords as words } from '../../../words'
import { useCurrentProvider } from '../current-provider'
import { fixedIssuer, vendorOf } from '../vendors'

interface Props {
  errors: Partial<Record<string, string>>
  touch: (name: 'oidcScopes') => void
}

/** How a provider of OpenID Connect is reached. */
export function OidcFields({ errors, touch }: Props) {
  const provider = useCurrentProvider()
  const vendor = vendorOf(provider)
  const oidc = vendorWords[vendor].oidc ?? vendorWords.GENERIC_OIDC.oidc
  const isFixed = fixedIssuer(vendor) === provider.oidcIssuer
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
  return (
    <>
      <Field
        {...plain}
        name="oidcIssuer"
        label={words.issuer}
        hint={isFixed ? oidc?.issuerHint : `${oidc?.issuerHint} ${words.anotherIssuer}`}
        inputMode="url"
        defaultValue={provider.oidcIssuer}
        readOnly={isFixed}
        error={errors.oidcIssuer}
        required
      />
      <Field
        {...plain}
        name="oidcClientId"
        label={oidc?.clientId ?? ''}
        defaultValue={provider.oidcClientId}
        error={errors.oidcClientId}
        required
      />
      <PasswordField
        name="oidcClientSecret"
        label={oidc?.clientSecret ?? ''}
        hint={words.secretUnchanged}
        autoComplete="new-password"
        required={false}
        error={errors.oidcClientSecret}
      />
      <More summary={words.endpoints}>
        <div className={stack.fields}>
          <p className={`${stack.dimmed} ${stack.small}`}>{words.endpointsAbout}</p>
          {(
            [
              ['oidcAuthUrl', words.authUrl],
              ['oidcTokenUrl', words.tokenUrl],
              ['oidcUserinfoUrl', words.userinfoUrl],
            ] as const
          ).map(([name, label]) => (
            <Field
              {...plain}
              key={name}
              name={name}
              label={label}
              optional={words.optional}
              inputMode="url"
              placeholder="https://"
              defaultValue={provider[name]}
              error={errors[name]}
            />
          ))}
          <RowsField
            name="oidcScopes"
            legend={words.scopes}
            rowLabel={words.scope}
            initial={provider.oidcScopes ?? []}
            errors={errors}
            touch={touch}
          />
        </div>
      </More>
    </>
  )
}
