import m from '../../../messages/en/consent.json'

/** Links to the page that removes access, in a new tab: the request stays open. */
export function RemovalHint() {
  return (
    <>
      {m.removeAccess()}{' '}
      <a href="/account/apps" target="_blank" rel="noreferrer">
        {m.removeAccessLink()}
      </a>
      .
    </>
  )
}
