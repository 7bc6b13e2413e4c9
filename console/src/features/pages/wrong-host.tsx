import { Appearance } from '../../ui/appearance'
import { AuthLayout } from '../../ui/auth-layout'
import stack from '../../ui/stack.module.css'
import { pageWords as words } from '../../words'

/** Instead of a sign-in form that could not work under this address. Stands alone, without router or session. */
export function WrongHost({ expected }: { expected: string }) {
  return (
    <Appearance>
      <AuthLayout heading={words.wrongHostTitle} lead={words.wrongHostText(location.origin, expected)}>
        <div className={stack.fields}>
          <a href={expected + location.pathname}>{words.wrongHostOpen(expected)}</a>
          <p className={`${stack.dimmed} ${stack.small}`}>{words.wrongHostAdmin(location.origin)}</p>
        </div>
      </AuthLayout>
    </Appearance>
  )
}
