import { boot } from '../../boot'

let address = boot.loginHint ?? ''

/** The email address typed on an earlier page of this tab: it prefills the next form and stays out of the URL. */
export function typedAddress() {
  return address
}

export function rememberAddress(typed: string) {
  address = typed.trim()
}
