import { useRef } from 'react'
import { Field } from '../../../ui/form/field'
import { PasswordField } from '../../../ui/form/password-field'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { RowsField } from '../../../ui/form/rows-field'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useForm } from '../../../ui/form/use-form'
import { Panel } from '../../../ui/panel'
import stack from '../../../ui/stack.module.css'
import { Steps } from '../../../ui/steps'
import { useUnsaved } from '../../../ui/unsaved'
import { vendorWords, ssoWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { createProvider } from '../queries'
import { domainsOf, faultOfAddress, wrongDomains } from '../settings/provider-form'
import { fixedIssuer, type Vendor } from '../vendors'

interface Props {
  vendor: Vendor
  made: (id: string) => void
}

/** The values that the vendor's console gives. What is saved is a draft: it is switched off. */
export function NewOidcForm({ vendor, made }: Props) {
  const { team } = useCurrentTeam()
  const { place, example, oidc = vendorWords.GENERIC_OIDC.oidc } = vendorWords[vendor]
  const issuer = fixedIssuer(vendor)
  const id = useRef('')
  const { form, errors, problem, busy, dirty, touch } = useForm({
    names: ['name', 'oidcIssuer', 'oidcClientId', 'oidcClientSecret', 'allowedDomains'],
    check: (values) => {
      const fault = faultOfAddress(values.oidcIssuer.trim())
      return {
        ...(!values.name.trim() && { name: words.nameMissing }),
        ...(fault && { oidcIssuer: fault }),
        ...(!values.oidcClientId.trim() && { oidcClientId: words.missing }),
        ...(!values.oidcClientSecret && { oidcClientSecret: words.missing }),
        ...wrongDomains('allowedDomains', values.allowedDomains),
        ...(issuer && domainsOf(values.allowedDomains).length === 0 && { allowedDomains: words.domainsNeeded }),
      }
    },
    send: async (values) => {
      const provider = await createProvider(team.id, {
        type: vendor,
        protocol: 'OIDC',
        enabled: false,
        name: values.name.trim(),
        oidcIssuer: values.oidcIssuer.trim(),
        oidcClientId: values.oidcClientId.trim(),
        oidcClientSecret: values.oidcClientSecret,
        allowedDomains: domainsOf(values.allowedDomains),
      })
      id.current = provider.id
    },
    saved: () => made(id.current),
    focusOnRefusal: 'name',
  })
  useUnsaved(dirty)
  if (!oidc) return null
  return (
    <>
      <Panel title={words.there(place)}>
        <Steps steps={oidc.steps} />
      </Panel>
      <Panel title={words.here}>
        <form {...form} aria-label={words.newTitle}>
          <div className={`${stack.wide} ${stack.fields}`}>
            <Field
              name="name"
              label={words.name}
              hint={words.nameHint}
              defaultValue={example}
              maxLength={100}
              autoComplete="off"
              error={errors.name}
              required
            />
            <Field
              name="oidcIssuer"
              label={words.issuer}
              hint={oidc.issuerHint}
              inputMode="url"
              placeholder={oidc.issuer}
              defaultValue={issuer ?? ''}
              readOnly={issuer !== undefined}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              error={errors.oidcIssuer}
              required
            />
            <Field
              name="oidcClientId"
              label={oidc.clientId}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              error={errors.oidcClientId}
              required
            />
            <PasswordField
              name="oidcClientSecret"
              label={oidc.clientSecret}
              hint={words.secretHint}
              autoComplete="new-password"
              error={errors.oidcClientSecret}
            />
            <RowsField
              name="allowedDomains"
              legend={words.domains}
              {...(!issuer && { optional: words.optional })}
              hint={words.domainsHint}
              rowLabel={words.domain}
              initial={[]}
              errors={errors}
              touch={touch}
              placeholder="example.com"
            />
            <ProblemMessage problem={problem} />
            <div>
              <SubmitButton busy={busy} fullWidth={false}>
                {words.create}
              </SubmitButton>
            </div>
          </div>
        </form>
      </Panel>
    </>
  )
}
