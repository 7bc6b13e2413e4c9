import m from '../../messages/en/start-error.json'
import { Appearance } from '../../ui/document/appearance'
import { AuthLayout } from '../../ui/document/auth-layout'
import stack from '../../ui/layout/stack.module.css'

/** Replaces the sign-in form on a host where it can't work. Needs no router and no session. */
export function WrongHost({ expected }: { expected: string }) {
  return (
    <Appearance>
      <AuthLayout heading={m.wrongHostTitle()} lead={m.wrongHostText({ actual: location.origin, expected })}>
        <div className={stack.fields}>
          <a href={expected + location.pathname}>{m.wrongHostOpen({ expected })}</a>
          <p className={`${stack.dimmed} ${stack.small}`}>{m.wrongHostAdmin({ actual: location.origin })}</p>
        </div>
      </AuthLayout>
    </Appearance>
  )
}
