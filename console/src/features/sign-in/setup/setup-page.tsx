import { useState } from 'react'
import { arrivedWith } from '../../../arrival'
import { boot } from '../../../boot'
import { useFollowSignIn } from '../use-enter'
import { SetupByLink } from './setup-by-link'
import { SetupByMail } from './setup-by-mail'
import { SetupDone } from './setup-done'

/** Creates the first administrator, with the setup link or a mailed link. */
export function SetupPage() {
  const token = arrivedWith('/setup', 'token')
  const [byMail, setByMail] = useState(false)
  useFollowSignIn({})
  if (boot.onboarded) return <SetupDone />
  return token && !byMail ? <SetupByLink token={token} useMail={() => setByMail(true)} /> : <SetupByMail />
}
