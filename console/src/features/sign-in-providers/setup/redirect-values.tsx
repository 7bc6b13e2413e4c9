import type { SsoProvider } from '../../../api/contract'
import { serviceAddress } from '../../../api/service-address'
import m from '../../../messages/en/sign-in-providers.json'
import vendorMessages from '../../../messages/en/sign-in-vendors.json'
import stack from '../../../ui/layout/stack.module.css'
import { Steps } from '../../../ui/layout/steps'
import { Facts } from '../../../ui/page/facts'
import { CopyField } from '../../../ui/secrets/copy-field'
import type { Vendor } from '../vendors'

interface Props {
  provider: Pick<SsoProvider, 'id' | 'callbackUrl'>
  vendor: Vendor
}

/** The instructions and URLs for the client of an OpenID Connect provider, under the names that its vendor uses. */
export function RedirectValues({ provider: { id, callbackUrl = '' }, vendor }: Props) {
  const redirect = vendorMessages.redirect({ vendor })
  const logout = vendorMessages.oidcLogout({ vendor })
  const logoutUrl = `${serviceAddress()}/api/v1/sso/oidc/${id}/backchannel-logout`
  return (
    <div className={stack.fields}>
      <Steps steps={vendorMessages.oidcSteps({ vendor }).split('\n')} />
      <Facts
        facts={[
          { name: redirect, value: <CopyField label={redirect} value={callbackUrl} /> },
          ...(logout
            ? [
                {
                  name: logout,
                  value: (
                    <div className={stack.tight}>
                      <CopyField label={logout} value={logoutUrl} />
                      <p className={`${stack.dimmed} ${stack.small}`}>{m.oidcLogoutHelp()}</p>
                    </div>
                  ),
                },
              ]
            : []),
        ]}
      />
    </div>
  )
}
