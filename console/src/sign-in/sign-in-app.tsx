import { Component, type ReactNode, useEffect } from 'react'
import { CrashPage } from '../features/pages/crash-page'
import { useView } from '../navigation/router'
import { Announcer } from '../ui/document/announcer'
import { Appearance } from '../ui/document/appearance'
import { SkipLink } from '../ui/document/skip-link'
import { repeatEarlyInput } from './early-input'

/** Shows the crash page in place of a page that throws. */
class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <CrashPage /> : this.props.children
  }
}

/** The page that the router shows. */
export function SignInApp() {
  const view = useView()
  const Page = view?.component
  useEffect(repeatEarlyInput, [])
  return (
    <Appearance>
      <SkipLink />
      <Announcer />
      <Boundary key={view?.place.path}>{Page && <Page />}</Boundary>
    </Appearance>
  )
}
