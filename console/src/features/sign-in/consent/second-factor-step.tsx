import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import m from '../../../messages/en/consent.json'
import { currentHref, navigate } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { OnTheWay } from '../../../ui/layout/on-the-way'
import stack from '../../../ui/layout/stack.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { ByFactor } from '../../account/security/by-factor'
import { factorsQuery } from '../../account/security/factors/calls'

interface Props {
  application: string
  proven: () => void
  below: ReactNode
}

/** Requires two-step verification for an application, or its setup. */
export function SecondFactorStep({ application, proven, below }: Props) {
  const factors = useQuery(factorsQuery)
  const none = factors.data?.enabled === false

  useEffect(() => {
    if (none) void navigate({ to: '/mfa/enroll', search: { returnTo: currentHref() }, replace: true })
  }, [none])

  if (factors.isError)
    return (
      <AuthLayout heading={m.factorTitle()} below={below}>
        <LoadError error={factors.error} retry={() => factors.refetch()} />
      </AuthLayout>
    )
  if (!factors.data || none) return <OnTheWay text={m.redirecting({ application })} />
  return (
    <AuthLayout heading={m.factorTitle()} lead={m.factorLead({ application })} below={below}>
      <div className={stack.fields}>
        <ByFactor
          methods={factors.data.methods}
          passkeyText={m.factorPasskey()}
          codeText={m.factorCode()}
          other={m.otherMethod()}
          confirmed={proven}
        />
      </div>
    </AuthLayout>
  )
}
