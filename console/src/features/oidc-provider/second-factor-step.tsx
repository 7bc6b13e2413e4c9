import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { currentHref, navigate } from '../../navigation/router'
import { AuthLayout } from '../../ui/auth-layout'
import { LoadError } from '../../ui/load-error'
import { OnTheWay } from '../../ui/on-the-way'
import stack from '../../ui/stack.module.css'
import { consentWords as words } from '../../words'
import { ByFactor } from '../credentials/by-factor'
import { factorsQuery } from '../mfa/calls'

interface Props {
  application: string
  proven: () => void
  below: ReactNode
}

/** Where the team lets only those into an application who proved a second factor: asks for it, or has it set up. */
export function SecondFactorStep({ application, proven, below }: Props) {
  const factors = useQuery(factorsQuery)
  const none = factors.data?.enabled === false

  useEffect(() => {
    if (none) void navigate({ to: '/mfa/enroll', search: { returnTo: currentHref() }, replace: true })
  }, [none])

  if (factors.isError)
    return (
      <AuthLayout heading={words.factorTitle} below={below}>
        <LoadError error={factors.error} retry={() => factors.refetch()} />
      </AuthLayout>
    )
  if (!factors.data || none) return <OnTheWay text={words.onTheWay(application)} />
  return (
    <AuthLayout heading={words.factorTitle} lead={words.factorLead(application)} below={below}>
      <div className={stack.fields}>
        <ByFactor
          methods={factors.data.methods}
          passkeyText={words.factorPasskey}
          codeText={words.factorCode}
          other={words.factorOther}
          confirmed={proven}
        />
      </div>
    </AuthLayout>
  )
}
